internal import Constellation
internal import DNSSD
internal import GatewayClient
public import GatewayProtocol
public import PairingStore

/// The identity that is shown with a certificate which the user accepts for a paired gateway.
public enum AcceptedIdentity: Hashable, Sendable {
    /// The gateway tells this fingerprint there.
    case told(GatewayFingerprint)

    /// The gateway tells no fingerprint there: its certificate is all that tells it from others.
    case untold

    /// Nobody shows the certificate there now, or what does is no gateway of this kind.
    case unknown

    /// Another gateway answers there that is paired, too: the certificate is that of their front.
    case anotherPaired(StoredPairing)

    /// Returns the fingerprint of a pairing from then on; `nil` if that is not known.
    ///
    /// - Parameter pairing: The pairing of which the identity was asked.
    public func fingerprint(of pairing: StoredPairing) -> GatewayFingerprint? {
        switch self {
        case .told(let fingerprint): fingerprint
        case .anotherPaired: pairing.fingerprint
        case .untold, .unknown: nil
        }
    }
}

extension PairingCoordinator {
    /// The maximum number of places that are asked.
    private static let mostPlaces = 16

    /// Asks who shows a certificate where a paired gateway was verified: over TLS with this very certificate. Nothing secret
    /// is sent.
    ///
    /// A certificate proves no more than a front, behind which there may be others: the gateway keeps its fingerprint if
    /// anyone tells it, and another one is only taken from the place where the gateway was last.
    ///
    /// - Parameters:
    ///   - pairing: The pairing with the gateway.
    ///   - leaf: The certificate, which the user accepts.
    public func identity(of pairing: StoredPairing, showing leaf: LeafFingerprint) async -> AcceptedIdentity {
        guard pairing.dialect.tellsFingerprint else { return .untold }
        let found = await ask(Array(pairing.endpoints.prefix(Self.mostPlaces)), pairing.dialect, leaf)
        if let own = pairing.fingerprint, found.values.contains(where: { $0.fingerprint == own }) { return .told(own) }
        guard let identity = found[0] else { return .unknown }
        guard let fingerprint = identity.fingerprint else { return .untold }
        guard let all = try? await stored({ store throws(StoreError) in try store.pairings() }) else { return .unknown }
        let other = all.first { $0.id != pairing.id && $0.fingerprintToTell == fingerprint }
        return other.map(AcceptedIdentity.anotherPaired) ?? .told(fingerprint)
    }

    /// Asks places at once.
    ///
    /// - Returns: What the gateways tell that have shown the certificate, by the numbers of their places.
    private func ask(
        _ places: [Endpoint],
        _ dialect: GatewayDialect,
        _ leaf: LeafFingerprint
    ) async -> [Int: DiscoverPayload] {
        await withTaskGroup(of: (Int, DiscoverPayload?).self) { group in
            for (number, place) in places.enumerated() {
                let target = GatewayProbeTarget(
                    endpoints: [place],
                    rules: TargetRules(origin: .user),
                    hints: [ProbeHint(expected: dialect, transports: .tlsOnly)],
                    pin: leaf
                )
                group.addTask { [configuration] in
                    let report = await GatewayProbe(configuration.probe).run(target)
                    guard case .optaplus(let payload) = report.verdict, report.path?.leaf == leaf else {
                        return (number, nil)
                    }
                    return (number, payload)
                }
            }
            var found: [Int: DiscoverPayload] = [:]
            for await (number, payload) in group { found[number] = payload }
            return found
        }
    }
}
