internal import DNSSD
package import GatewayProtocol
package import Scanning

/// One endpoint of a gateway, or of something that is no gateway.
package struct GatewayPathReport: JSONReport {
    private let path: GatewayPath

    /// Creates the report of one path of a row of the map.
    package init(_ path: GatewayPath) {
        self.path = path
    }

    package var fields: [String: JSONValue] {
        let (verdict, summary) = result
        return [
            "address": .string(path.endpoint.address.description),
            "port": JSONValue(path.endpoint.port),
            // Address and port in the form that `clawradar probe` accepts: `[fe80::1%eth0]:3000`.
            "endpoint": .string(path.endpoint.description),
            "serverName": JSONValue(path.endpoint.serverName?.description),
            "reach": .string(path.reach.rawValue),
            "isTypedIn": .bool(path.isManual),
            "foundBy": JSONValue(path.source?.rawValue),
            "finding": .string(verdict),
            "summary": .string(summary),
            "liveness": JSONValue(path.liveness?.rawValue),
            "readiness": JSONValue(path.readiness?.word),
            "latencyMs": JSONValue(milliseconds: path.roundTrip),
            "leafSha256": JSONValue(path.outcome?.identity?.leaf?.description),
            "contradicts": .bool(path.contradicts),
            "hearsay": .bool(path.isHearsay),
            "elsewhere": .bool(path.isElsewhere),
        ]
    }

    /// The result of asking the endpoint, as one word and as a text: the dialect, a description of what answered, or
    /// the reason why nothing did.
    private var result: (verdict: String, summary: String) {
        switch path.outcome {
        case .gateway(let identity): ("gateway", identity.dialect.rawValue)
        case .somethingElse(let answer): ("somethingElse", answer.summary)
        case .nothing(let reason): ("nothing", "\(reason)")
        case nil: ("notAsked", path.notAskedText)
        }
    }
}
