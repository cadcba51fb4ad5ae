import DNSSD
import GatewayProtocol
import Pairing
import Scanning
import TestSupport

/// A thing that answers at an endpoint of a ``PairedWorld``.
struct PairedThing: Hashable {
    var dialect: GatewayDialect
    var fingerprint: String?

    /// The certificate that it shows; `nil` without TLS.
    var leaf: UInt8?

    /// Indicates whether only a front is there, behind which nothing answers.
    var isFrontAlone = false

    /// Returns what a probe of it finds.
    ///
    /// - Parameter pin: The certificate that the probe demands; `nil` if it takes any.
    func outcome(pin: LeafFingerprint? = nil) -> ProbeOutcome {
        let shown = leaf.flatMap { LeafFingerprint(bytes: Array(repeating: $0, count: 32)) }
        if let pin, let shown, shown != pin { return .nothing(.wrongLeaf(found: shown)) }
        if isFrontAlone { return .somethingElse(ForeignAnswer(summary: "502", bytes: [])) }
        return .gateway(
            GatewayIdentity(
                fingerprint: fingerprint.flatMap { GatewayFingerprint($0) },
                name: "Home",
                dialect: dialect,
                leaf: shown
            )
        )
    }
}

/// A gateway of a ``PairedWorld``, and how this device is paired with it.
struct PairedCase: Hashable {
    enum Trust: Hashable, CaseIterable {
        case pinned
        case certified
        case address
        case lan
    }

    let trust: Trust

    /// The gateway itself, as it was at pairing.
    var itself: PairedThing
    var places: [Endpoint]
    let id: PairingID

    /// The endpoint at which it was paired, after which its row is named if it has no fingerprint.
    let origin: Endpoint

    /// Returns the pairing as the store has it.
    ///
    /// - Parameter home: The network of pairing.
    func stored(home: HomeNetwork) -> StoredPairing {
        let policy: TrustPolicy =
            switch trust {
            case .pinned:
                itself.leaf.flatMap { LeafFingerprint(bytes: Array(repeating: $0, count: 32)) }.map(TrustPolicy.pinned)
                    ?? .sameAddress(home)
            case .certified: .certified(host: "gateway.example")
            case .address: .sameAddress(home)
            case .lan: .lan(home)
            }
        let fingerprint = itself.fingerprint.flatMap { GatewayFingerprint($0) }
        let row = fingerprint.map(GatewayID.fingerprint) ?? .candidate(.endpoint(origin))
        return StoredPairing(
            id: id,
            gatewayID: row.description,
            fingerprint: fingerprint,
            name: "Home",
            dialect: itself.dialect,
            trust: policy,
            endpoints: places,
            pairedAt: 1,
            bots: BotID("b").map { [StoredBot(id: $0, name: "Jarvis")] } ?? [],
            // The same one at each call: another one would be news.
            credentials: CredentialID(String(repeating: "c", count: 32)).map {
                [StoredCredential(id: $0, bots: [], createdAt: 1, deviceID: "device")]
            } ?? []
        )
    }

    /// Indicates whether whatever answers at an endpoint is the gateway as it was at pairing, in its network.
    func isAsAtPairing(_ thing: PairedThing, at endpoint: Endpoint, isInNetwork: Bool) -> Bool {
        guard !thing.isFrontAlone, thing.dialect == itself.dialect, thing.fingerprint == itself.fingerprint else {
            return false
        }
        switch trust {
        case .pinned:
            guard thing.leaf == itself.leaf else { return false }
            return itself.fingerprint != nil
                || places.contains { $0.port == endpoint.port && $0.resource == endpoint.resource }
        case .certified: return thing.leaf != nil && places.contains(endpoint)
        case .address: return thing.leaf == nil && places.contains(endpoint) && isInNetwork
        case .lan: return thing.leaf == nil && isInNetwork
        }
    }
}
