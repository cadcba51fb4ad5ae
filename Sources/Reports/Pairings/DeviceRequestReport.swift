internal import DNSSD
package import GatewayProtocol
package import Pairing

/// A device that waits at a gateway for its approval. All of its texts are the device's own.
package struct DeviceRequestReport: JSONReport, Hashable {
    package let request: DeviceRequest
    package let pairing: String
    package let gatewayName: String

    /// The scopes without which this device cannot approve it.
    package let lacking: [String]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - pairing: The pairing with the gateway at which it waits.
    package init(_ request: DeviceRequest, at pairing: StoredPairing) {
        self.request = request
        self.pairing = pairing.id.description
        gatewayName = pairing.name
        lacking = pairing.scopesLacking(for: request)
    }

    /// Reads a report.
    fileprivate init(_ json: JSONValue?) throws(RecordingProblem) {
        let fields = try RecordedFields(json, of: "the request")
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

/// The devices that wait for an approval, as gateways answer where this device is an admin.
package struct ApprovalsReport: ReadableReport, Hashable {
    /// The answer of one gateway.
    package struct Answer: Hashable, Sendable {
        package let pairing: PairingID
        package let requests: [DeviceRequestReport]

        /// The number of those that it lists beside them.
        package let leftOut: Int

        /// The sentence that it has not answered, without a full stop; `nil` if it has.
        package let trouble: String?

        package init(pairing: PairingID, requests: [DeviceRequestReport], leftOut: Int, trouble: String?) {
            self.pairing = pairing
            self.requests = requests
            self.leftOut = leftOut
            self.trouble = trouble
        }
    }

    package let answers: [Answer]

    package init(_ answers: [Answer]) { self.answers = answers }

    /// Reads a report.
    package init(_ document: JSONValue) throws(RecordingProblem) {
        let fields = try RecordedFields(document, of: "the document")
        let requests = try (document["requests"]?.array ?? []).map { json throws(RecordingProblem) in
            try DeviceRequestReport(json)
        }
        answers = try (document["gateways"]?.array ?? []).map { json throws(RecordingProblem) in
            let gateway = try RecordedFields(json, of: "the gateway")
            guard let pairing = PairingID(try gateway.value("pairing") as String) else {
                throw fields.problem(at: "gateways", expected: "gateways with the number of their pairing")
            }
            return Answer(
                pairing: pairing,
                requests: requests.filter { $0.pairing == "\(pairing)" },
                leftOut: try gateway.value("leftOut"),
                trouble: try gateway.optional("trouble")
            )
        }
    }

    package var fields: [String: JSONValue] {
        let gateways = answers.map { answer in
            JSONValue.object([
                "pairing": .string("\(answer.pairing)"), "leftOut": .number(JSONNumber(answer.leftOut)),
                "trouble": JSONValue(answer.trouble),
            ])
        }
        return [
            "requests": .array(answers.flatMap(\.requests).map(\.json)), "gateways": .array(gateways),
        ]
    }
}

/// A decision about a device that waited.
package struct DecisionReport: ReadableReport, Hashable {
    package let decision: DeviceDecision
    package let report: DeviceRequestReport

    /// The account of a Clawline provider to which the device was attached.
    package let account: String?

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
        report = try DeviceRequestReport(fields["request"])
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
