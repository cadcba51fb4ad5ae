import GatewayClient
import GatewayProtocol

@testable import Scanning

/// A simulated process that answers as a gateway.
struct SampleGateway: Hashable {
    var dialect = GatewayDialect.optaplus
    var fingerprint: String?
    var name: String?
    var bots: [String] = []

    /// The byte of which the fingerprint of its leaf certificate consists; `nil` for a gateway without TLS.
    var leaf: UInt8?

    /// The HTTP status with which its `/healthz` answers.
    var healthStatus = 200

    /// The number of connections that a probe of it uses.
    var connections = 1

    var roundTrip = Duration.milliseconds(1)

    /// The number of its process: another process does not have the connections of this one.
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
        // Only OptaPlus gateways state these facts.
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

    /// The verdict of a probe of this gateway.
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

    /// Returns the result of a check over a new connection, compared with what the check expects there.
    func livenessCheck(_ job: CheckJob) -> LivenessCheckResult {
        guard leaf.map(Samples.leaf) == job.path.leaf else { return .different }
        switch job.dialect {
        case .openClaw, .clawline:
            guard let signature, job.signature == nil || job.signature == signature else { return .different }
            return .answered(roundTrip, signature)
        case .bridge: return dialect == .bridge ? .answered(roundTrip, nil) : .different
        // Every WebSocket server answers a ping.
        case .optaplus, .openAgents: return dialect == .bridge ? .different : .answered(roundTrip, nil)
        }
    }
}
