import GatewayProtocol
import Gateways

@testable import Scanning

/// One process that answers as a gateway.
struct SampleGateway: Hashable {
    var dialect = GatewayDialect.design
    var fingerprint: String?
    var name: String?
    var bots: [String] = []

    /// What its certificate is made of; `nil` speaks plain.
    var leaf: UInt8?

    /// What its `/healthz` answers.
    var healthStatus = 200

    /// How many connections a probe of it takes.
    var connections = 1

    var roundTrip = Duration.milliseconds(1)

    /// Which process it is: another one does not know the connections of the former.
    var process = 1

    init(
        _ fingerprint: String? = "f",
        dialect: GatewayDialect = .design,
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
        // Only the design's gateways tell any of it.
        let isTold = dialect == .design
        self.fingerprint = isTold ? fingerprint : nil
        self.name = isTold ? name : nil
        self.bots = isTold ? bots : []
        self.leaf = leaf
        self.connections = connections
    }

    /// The same gateway after a restart.
    var restarted: SampleGateway {
        var gateway = self
        gateway.process += 1
        return gateway
    }

    /// What a probe finds.
    var finding: GatewayFinding {
        switch dialect {
        case .design:
            .design(
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

    /// Whether it is asked over HTTP whether it answers.
    var isAskedOverHTTP: Bool { dialect == .openClaw || dialect == .clawline }

    /// What it answers over HTTP.
    var signature: HTTPSignature? {
        isAskedOverHTTP ? HTTPSignature(status: healthStatus, server: nil, body: Array("\(dialect)".utf8)) : nil
    }

    /// What a fresh connection finds when it asks for a pulse of what was known there.
    func pulse(_ job: CheckJob) -> PulseResult {
        guard leaf.map(Samples.leaf) == job.path.leaf else { return .different }
        switch job.dialect {
        case .openClaw, .clawline:
            guard let signature, job.signature == nil || job.signature == signature else { return .different }
            return .answered(roundTrip, signature)
        case .bridge: return dialect == .bridge ? .answered(roundTrip, nil) : .different
        // Whatever speaks WebSocket answers a ping.
        case .design, .openAgents: return dialect == .bridge ? .different : .answered(roundTrip, nil)
        }
    }
}
