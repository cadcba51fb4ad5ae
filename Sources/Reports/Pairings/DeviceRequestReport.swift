internal import DNSSD
package import GatewayProtocol
package import Pairing

/// A device that waits at a gateway for its approval. All of its texts are the device's own.
package struct DeviceRequestReport: JSONReport, Hashable {
    package let request: DeviceRequest
    private let pairing: String
    private let gatewayName: String
    private let lacking: [String]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - pairing: The pairing with the gateway at which it waits.
    ///   - lacking: The scopes without which this device cannot approve it.
    package init(_ request: DeviceRequest, at pairing: StoredPairing, lacking: [String]) {
        self.request = request
        self.pairing = pairing.id.description
        gatewayName = pairing.name
        self.lacking = lacking
    }

    /// Reads a report.
    fileprivate init(_ fields: RecordedFields, _ json: JSONValue?) throws(RecordingProblem) {
        guard let request = json.flatMap(DeviceRequest.init(report:)) else {
            throw fields.problem(at: "id", expected: "that of a device that waits")
        }
        self.request = request
        pairing = try fields.value("pairing")
        gatewayName = try fields.value("gatewayName")
        lacking = try fields.value("lacking")
    }

    package var fields: [String: JSONValue] {
        var fields = request.reportFields
        fields["lacking"] = JSONValue(lacking)
        fields["pairing"] = .string(pairing)
        fields["gatewayName"] = .string(gatewayName)
        return fields
    }
}

/// A decision about a device that waited.
package struct DecisionReport: JSONReport, Hashable {
    package let decision: DeviceDecision
    private let report: DeviceRequestReport

    /// The account of a Clawline provider to which the device was attached.
    package let account: String?

    /// The request that was decided.
    package var request: DeviceRequest { report.request }

    /// Creates a report.
    ///
    /// - Parameter account: The account of a Clawline provider to which the device was attached.
    package init(_ decision: DeviceDecision, _ request: DeviceRequestReport, account: String? = nil) {
        self.decision = decision
        report = request
        self.account = account
    }

    /// Reads a report.
    package init(_ document: JSONValue) throws(RecordingProblem) {
        let fields = try RecordedFields(document, of: "the document")
        decision = try fields.value("decision")
        let request = fields["request"]
        report = try DeviceRequestReport(RecordedFields(request, of: "the request"), request)
        account = try fields.optional("user")
    }

    package var fields: [String: JSONValue] {
        ["decision": .string(decision.rawValue), "request": report.json, "user": JSONValue(account)]
    }
}

extension DeviceRequest {
    /// Reads a request as an agent reports it; `nil` if it is none.
    package init?(report: JSONValue) {
        guard case .object(var fields) = report else { return nil }
        fields["requestId"] = fields["id"]
        fields["displayName"] = fields["name"]
        fields[fields["kind"]?.string == "node" ? "nodeId" : "deviceId"] = fields["deviceID"]
        fields["remoteIp"] = fields["address"]
        fields["ts"] = fields["requestedAt"]?.string.flatMap(Timestamp.init)
            .map { .number(JSONNumber($0.milliseconds)) }
        self.init(json: .object(fields))
    }

    /// The words of a device about itself, and about what it asks for.
    var reportFields: [String: JSONValue] {
        [
            "id": .string(id),
            "kind": .string(isNode ? "node" : "device"),
            "version": JSONValue(version),
            "name": JSONValue(name),
            "deviceID": JSONValue(deviceID),
            "platform": JSONValue(platform),
            "address": JSONValue(address),
            "roles": JSONValue(roles),
            "scopes": JSONValue(scopes),
            "requestedAt": JSONValue(time.map { Timestamp(milliseconds: $0).description }),
        ]
    }

    /// Returns a role or scope for people: between quotation marks that it cannot contain, unless it is a word as gateways
    /// use them. The device has chosen it, and it must not look like the command beside it.
    package static func shown(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "._:-*/".utf8.contains(byte)
            }
        }
        let text = DisplayText(word, limit: 48)
        return isPlain && !text.text.isEmpty ? text.text : text.quoted
    }

    /// The command that approves it. The identifier has only characters that no shell expands.
    package var command: String { "clawradar approve \(id)" }
}
