internal import DNSSD
package import GatewayProtocol
package import Scanning

/// One gateway with its bots, its paths and its services.
package struct GatewayReport: JSONReport {
    private let gateway: Gateway

    /// Makes a report.
    ///
    /// - Parameter gateway: The row of the gateway in the map.
    package init(_ gateway: Gateway) {
        self.gateway = gateway
    }

    package var fields: [String: JSONValue] {
        let words = gateway.flags.sorted().map(\.rawValue)
        return [
            "id": .string(gateway.id.description),
            "fingerprint": JSONValue(bytes: gateway.fingerprint?.bytes),
            "name": .string(gateway.name),
            "dialect": JSONValue(gateway.dialect?.rawValue),
            "liveness": JSONValue(gateway.liveness?.rawValue),
            "livenessReason": gateway.isFlooding ? "floods" : .null,
            "readiness": JSONValue(gateway.readiness?.word),
            "readinessReason": JSONValue(gateway.readiness?.reason),
            "latencyMs": JSONValue(milliseconds: gateway.roundTrip),
            "bots": .array(gateway.bots.map { BotReport($0).json }),
            "botCount": JSONValue(gateway.bots.count + gateway.botsLeftOut),
            "tls": gateway.outcome?.identity?.leaf.map { .object(["leafSha256": .string($0.description)]) } ?? .null,
            "paths": .array(gateway.paths.map { GatewayPathReport($0).json }),
            "services": .array(gateway.services.map { .object($0.reportFields) }),
            "flags": JSONValue(words + words.compactMap { FormerWords.ofFlags[$0] }),
            "problems": JSONValue(gateway.problems.map { DisplayText($0, limit: 160).text }),
        ]
    }
}

/// Something that is no gateway, though it is advertised as one or was typed in.
package struct OtherReport: JSONReport {
    private let other: Gateway

    /// Makes a report.
    ///
    /// - Parameter other: The row in the map.
    package init(_ other: Gateway) {
        self.other = other
    }

    package var fields: [String: JSONValue] {
        [
            "id": .string(other.id.description),
            "name": .string(other.name),
            "reason": .string(other.reasonForNoGateway),
            "firstBytes": JSONValue(bytes: firstBytes),
            "paths": .array(other.paths.map { GatewayPathReport($0).json }),
            "services": .array(other.services.map { .object($0.reportFields) }),
        ]
    }

    /// The first bytes that it sent; `nil` if it sent nothing.
    private var firstBytes: [UInt8]? {
        other.paths.lazy.compactMap { path in
            if case .somethingElse(let answer) = path.outcome { answer.firstBytes } else { nil }
        }
        .first
    }
}
