/// The answer of a gateway to one of the gateway probe's HTTP requests, `GET /healthz` and `GET /version`.
package enum HealthReply: Hashable, Sendable {
    /// An OpenClaw gateway: `{"ok":true,"status":"live"}`.
    case openClaw

    /// A Clawline provider: `{"protocolVersion":1}`.
    case clawline(protocolVersion: Int)

    /// Reads the body of a reply; `nil` when it is neither, as from any other web server.
    package init?(parsing body: [UInt8], limits: JSONLimits = JSONLimits()) {
        guard let json = try? JSONValue(parsing: body, limits: limits) else { return nil }
        if json["ok"]?.bool == true, json["status"]?.string == "live" {
            self = .openClaw
        } else if let version = json["protocolVersion"]?.int, version > 0 {
            self = .clawline(protocolVersion: version)
        } else {
            return nil
        }
    }

    /// The body of the reply.
    package var encoded: [UInt8] {
        switch self {
        case .openClaw: JSONValue.object(["ok": true, "status": "live"]).encoded
        case .clawline(let version): JSONValue.object(["protocolVersion": .number(JSONNumber(version))]).encoded
        }
    }
}
