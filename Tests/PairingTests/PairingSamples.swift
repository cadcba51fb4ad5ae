import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Pairing

/// Offers of gateways in a home network, and their refusals, for tests.
enum PairingSamples {
    static let home = NetworkObservation(
        prefix: IPAddress.v4(IPv4Address(bits: 0x0A00_0000)),
        prefixLength: 24,
        router: .at([2, 0, 0, 0, 0, 1]),
        gateway: .at([2, 0, 0, 0, 0, 2])
    )

    static let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0005)), port: 3_000)

    /// The same endpoint by a host name.
    static func endpoint(named name: String) -> Endpoint {
        Endpoint(address: endpoint.address, port: endpoint.port, serverName: ServerName(name))
    }

    static func leaf(_ byte: UInt8) throws -> LeafFingerprint {
        try #require(LeafFingerprint(bytes: Array(repeating: byte, count: 32)))
    }

    static func bots(_ ids: String...) throws -> [BotDescription] {
        try ids.map { BotDescription(id: try #require(BotID($0)), name: $0.uppercased()) }
    }

    static func offer(
        _ dialect: GatewayDialect = .optaplus,
        leaf: LeafFingerprint? = nil,
        fingerprint: String = "abc123",
        bots: [BotDescription] = [],
        network: NetworkObservation? = home,
        proof: PairingProof = .unproved,
        at endpoint: Endpoint = endpoint
    ) throws -> PairingOffer {
        let fingerprint = try #require(GatewayFingerprint(fingerprint))
        return PairingOffer(
            gatewayID: .fingerprint(fingerprint),
            name: "Home Gateway",
            dialect: dialect,
            fingerprint: dialect == .optaplus ? fingerprint : nil,
            bots: bots,
            endpoint: endpoint,
            leaf: leaf,
            network: leaf == nil ? network : nil,
            proof: proof
        )
    }

    static func refusal(
        _ reason: SessionRefusal.Reason,
        requestID: String? = nil,
        credential: SessionCredential.Kind = .none,
        operatorTool: SessionRefusal.OperatorTool = .openClaw
    ) -> SessionRefusal {
        SessionRefusal(
            dialect: .openClaw,
            reason: reason,
            credential: credential,
            requestID: requestID,
            operatorTool: operatorTool
        )
    }

    /// A grant of bots, each with a token of its own.
    static func grant(_ ids: String...) throws -> PairingGrant {
        let bots = try ids.map { BotDescription(id: try #require(BotID($0)), name: $0.uppercased()) }
        return PairingGrant(
            bots: bots,
            tokens: bots.map { PairingGrant.Token(bots: [$0.id], secret: Secret("token-\($0.id.text)"), scopes: []) }
        )
    }

    /// A pairing with the gateway of ``offer(_:leaf:fingerprint:bots:network:proof:)``.
    static func pairing(
        _ trust: TrustPolicy,
        gatewayID: String = "elsewhere",
        fingerprint: String? = "abc123",
        name: String = "Home Gateway",
        at endpoints: [Endpoint] = [endpoint],
        bots: [BotDescription] = []
    ) -> StoredPairing {
        StoredPairing(
            gatewayID: gatewayID,
            fingerprint: fingerprint.flatMap { GatewayFingerprint($0) },
            name: name,
            dialect: .optaplus,
            trust: trust,
            endpoints: endpoints,
            pairedAt: 0,
            bots: bots.map { StoredBot(id: $0.id, name: $0.name) }
        )
    }
}
