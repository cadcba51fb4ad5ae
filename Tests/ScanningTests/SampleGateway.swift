import GatewayClient
import GatewayProtocol

@testable import Scanning

/// One process that answers as a gateway.
struct SampleGateway: Hashable {
    var dialect = GatewayDialect.optaplus
    var fingerprint: String?
    var name: String?
    var bots: [String] = []

    /// The byte that its certificate's fingerprint consists of; `nil` for a gateway without TLS.
    var leaf: UInt8?

    /// The HTTP status that its `/healthz` answers with.
    var healthStatus = 200

    /// The number of connections that a probe of it takes.
    var connections = 1

    var roundTrip = Duration.milliseconds(1)

    /// The number of its process: another process does not know the connections of the former.
    var process = 1

    init(
        _ fingerprint: String? = "f",
        dialect: GatewayDialect = .optaplus,
        name: String? = "Home",
        bots: [String] = [],
        leaf: UInt8? = nil
    ) {
        self.init(dialect: dialect, fingerprint: fingerprint, name: name, bots: bots, leaf: leaf)
    }

    init(
        dialect: GatewayDialect,
        fingerprint: String?,
        name: String?,
        bots: [String] = [],
        leaf: UInt8? = nil,
        connections: Int = 1
    ) {
        self.dialect = dialect
        // Only OptaPlus gateways tell any of it.
        let statesFacts = dialect == .optaplus
        self.fingerprint = statesFacts ? fingerprint : nil
        self.name = statesFacts ? name : nil
        self.bots = statesFacts ? bots : []
        self.leaf = leaf
        self.connections = connections
    }

    /// The same gateway after a restart.
    var restarted: SampleGateway {
        var gateway = self
        gateway.process += 1
        return gateway
    }

    /// The verdict of a probe of it.
    var verdict: GatewayVerdict {
        switch dialect {
        case .optaplus:
            .optaplus(
                DiscoverPayload(
                    fingerprint: fingerprint.map(Samples.fingerprint),
                    name: name,
                    bots: bots.map { BotDescription(id: Samples.bot($0), name: "Bot \($0)") },
                    pairingRequired: nil
                )
            )
        case .openClaw: .openClaw(OpenClawIdentification(evidence: .challenge))
        case .bridge: .bridge
        case .openAgents: .openAgents
        case .clawline: .clawline(protocolVersion: nil)
        }
    }

    /// Indicates whether checks ask it over HTTP.
    var isAskedOverHTTP: Bool { dialect == .openClaw || dialect == .clawline }

    /// The signature of its answer over HTTP.
    var signature: HTTPSignature? {
        isAskedOverHTTP ? HTTPSignature(status: healthStatus, server: nil, body: Array("\(dialect)".utf8)) : nil
    }

    /// Returns the result of a check over a fresh connection, by comparison with what was known there.
    func livenessCheck(_ job: CheckJob) -> LivenessCheckResult {
        guard leaf.map(Samples.leaf) == job.path.leaf else { return .different }
        switch job.dialect {
        case .openClaw, .clawline:
            guard let signature, job.signature == nil || job.signature == signature else { return .different }
            return .answered(roundTrip, signature)
        case .bridge: return dialect == .bridge ? .answered(roundTrip, nil) : .different
        // Whatever speaks WebSocket answers a ping.
        case .optaplus, .openAgents: return dialect == .bridge ? .different : .answered(roundTrip, nil)
        }
    }
}
