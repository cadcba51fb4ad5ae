import DNSSD
import GatewayProtocol
import Pairing
import Testing

/// Made-up pairings.
enum Pairings {
    static func pairing(
        _ name: String,
        id: Character,
        at address: String = "10.0.0.2",
        fingerprint: String? = nil,
        bots: [(id: String, name: String)] = [],
        trust: TrustPolicy? = nil
    ) throws -> StoredPairing {
        let digits = String(repeating: id, count: 32)
        return try pairing(name, digits: digits, at: address, fingerprint: fingerprint, bots: bots, trust: trust)
    }

    /// - Parameter digits: The 32 digits of its identifier.
    static func pairing(
        _ name: String,
        digits: String,
        at address: String = "10.0.0.2",
        fingerprint: String? = nil,
        bots: [(id: String, name: String)] = [],
        trust: TrustPolicy? = nil
    ) throws -> StoredPairing {
        StoredPairing(
            id: try #require(PairingID(digits)),
            gatewayID: "fingerprint:\(fingerprint ?? name)",
            fingerprint: fingerprint.flatMap { GatewayFingerprint($0) },
            name: name,
            dialect: .optaplus,
            trust: try trust ?? .pinned(#require(LeafFingerprint(String(repeating: "5f", count: 32)))),
            endpoints: [Endpoint(address: try #require(IPAddress(address)), port: 3_000)],
            pairedAt: 1_700_000_000_000,
            bots: try bots.map { StoredBot(id: try #require(BotID($0.id)), name: $0.name) },
            credentials: [
                StoredCredential(
                    id: try #require(CredentialID(digits)),
                    bots: [],
                    createdAt: 1_700_000_000_000,
                    deviceID: "device"
                )
            ]
        )
    }

    /// Returns two gateways with their bots, two of which have names with the same beginning.
    static func home() throws -> [StoredPairing] {
        [
            try pairing(
                "Home Gateway",
                id: "a",
                fingerprint: "fp-home",
                bots: [("bot-1", "Jarvis"), ("bot-2", "Friday")]
            ),
            try pairing("Studio", id: "b", at: "10.0.0.3", bots: [("main", "Jarvis Two"), ("x", "Studio")]),
        ]
    }
}
