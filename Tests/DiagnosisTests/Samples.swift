import DNSSD
import GatewayProtocol

@testable import Pairing
@testable import Reports

/// Facts of the gateway “Home” for the tests of diagnoses.
enum Samples {
    static let home = endpoint("10.0.0.2")
    static let alive = PlaceAnswer.gateway(.openClaw, isTLS: false, roundTrip: .milliseconds(2))

    static func endpoint(_ address: String, port: UInt16 = 3_000) -> Endpoint {
        Endpoint(address: IPAddress(address) ?? .v4(IPv4Address(bits: 0)), port: port)
    }

    /// Returns its place outside of this network.
    static func outside(_ answer: PlaceAnswer) -> PlaceFacts {
        PlaceFacts(endpoint("203.0.113.9", port: 443), sources: [.outside], answer: answer)
    }

    private static func pairing(_ trust: TrustPolicy, connects: Bool = true, name: String = "Home") -> StoredPairing {
        StoredPairing(
            id: PairingID(String(repeating: "a", count: 32)) ?? PairingID(),
            gatewayID: "fingerprint:home",
            name: name,
            dialect: .openClaw,
            trust: trust,
            endpoints: [home],
            connectsAutomatically: connects,
            pairedAt: 1
        )
    }

    /// Its pairing in the bin.
    static let binned = BinnedPairing(pairing: pairing(plain), reason: .revoked("gone"), time: 5, isWhole: true)

    private static let plain = TrustPolicy.sameAddress(
        HomeNetwork(
            prefix: .v4(IPv4Address(bits: 0x0A00_0000)),
            prefixLength: 24,
            router: [1, 2, 3, 4, 5, 6],
            gateway: [1, 2, 3, 4, 5, 7]
        )
    )

    /// Returns the state of its pairing, as a session with it says.
    static func status(
        _ state: PairedState,
        _ reason: String? = nil,
        trust: TrustPolicy? = nil,
        connects: Bool = true,
        refusal: SessionRefusal.Reason? = nil,
        expectedProtocol: Int? = nil,
        dialect: GatewayDialect = .openClaw,
        deviceID: String? = nil,
        name: String = "Home"
    ) -> PairedStatus {
        let noted = refusal.map { reason in
            NotedRefusal(
                SessionRefusal(
                    dialect: dialect,
                    reason: reason,
                    credential: .deviceToken,
                    requestID: "r-1",
                    expectedProtocol: expectedProtocol
                ),
                since: 600_000,
                until: 7_200_000
            )
        }
        let note = SessionNote(state: state.rawValue, since: 5, reason: reason, refusal: noted)
        let session = HeldSession(holder: LockHolder(process: 1, program: "clawradar"), note: note)
        var pairing = pairing(trust ?? plain, connects: connects, name: name)
        pairing.dialect = dialect
        if let deviceID {
            pairing.credentials = [StoredCredential(id: CredentialID(), bots: [], createdAt: 1, deviceID: deviceID)]
        }
        return PairedStatus(pairing, row: nil, sessions: [session])
    }
}
