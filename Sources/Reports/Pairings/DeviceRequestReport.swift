internal import DNSSD
package import GatewayProtocol
package import PairingStore

/// A device that waits at a gateway for its approval. All of its texts are the device's own.
package struct DeviceRequestReport: JSONReport {
    private let request: DeviceRequest
    private let pairing: StoredPairing
    private let lacking: [String]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - pairing: The pairing with the gateway at which it waits.
    ///   - lacking: The scopes without which this device cannot approve it.
    package init(_ request: DeviceRequest, at pairing: StoredPairing, lacking: [String]) {
        self.request = request
        self.pairing = pairing
        self.lacking = lacking
    }

    package var fields: [String: JSONValue] {
        var fields = request.reportFields
        fields["lacking"] = JSONValue(lacking)
        fields["pairing"] = .string(pairing.id.description)
        fields["gatewayName"] = .string(pairing.name)
        return fields
    }
}

/// A decision about a device that waited.
package struct DecisionReport: JSONReport {
    private let decision: DeviceDecision
    private let request: DeviceRequestReport
    private let account: String?

    /// Creates a report.
    ///
    /// - Parameter account: The account of a Clawline provider to which the device was attached.
    package init(_ decision: DeviceDecision, _ request: DeviceRequestReport, account: String? = nil) {
        self.decision = decision
        self.request = request
        self.account = account
    }

    package var fields: [String: JSONValue] {
        ["decision": .string(decision.rawValue), "request": request.json, "user": JSONValue(account)]
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
