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

    /// The fingerprint that the pairing takes on; `nil` if it keeps its own.
    public var fingerprint: GatewayFingerprint? {
        if case .told(let fingerprint) = self { fingerprint } else { nil }
    }
}

extension PairingCoordinator {
    /// The maximum number of places that are asked.
    private static let mostPlaces = 16

    /// Asks who shows a certificate where a paired gateway was verified, and where the map has seen that certificate: over
    /// TLS with this very certificate. Nothing secret is sent.
    ///
    /// - Parameters:
    ///   - pairing: The pairing with the gateway.
    ///   - leaf: The certificate, which the user accepts.
    public func identity(of pairing: StoredPairing, showing leaf: LeafFingerprint) async -> AcceptedIdentity {
        guard pairing.dialect.tellsFingerprint else { return .untold }
        let seen = await constellation.gateways.flatMap(\.paths).filter { $0.outcome?.shownLeaf == leaf }.map(
            \.endpoint
        )
        var places: [Endpoint] = []
        for place in pairing.endpoints + seen where !places.contains(place) { places.append(place) }
        let found = await ask(Array(places.prefix(Self.mostPlaces)), pairing.dialect, leaf)
        // The place of the pairing says more than one that the network has led to.
        guard let identity = found.min(by: { $0.key < $1.key })?.value else { return .unknown }
        guard let fingerprint = identity.fingerprint else { return .untold }
        let others = (try? await stored { store throws(StoreError) in try store.pairings() }) ?? []
        let other = others.first { $0.id != pairing.id && $0.fingerprintToTell == fingerprint }
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
