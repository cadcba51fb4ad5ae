package import DNSSD
internal import GatewayClient
internal import GatewayProtocol

extension PairingCoordinator {
    /// The maximum number of places that are asked.
    private static let mostPlaces = 16

    /// Asks which certificates are shown where a paired gateway was verified. Nothing secret is sent.
    ///
    /// - Parameters:
    ///   - pairing: The pairing with the gateway.
    ///   - place: Where the gateway is now by the user's word; `nil` for where it was.
    package func certificates(of pairing: StoredPairing, at place: Endpoint? = nil) async -> ShownCertificates {
        let known = pairing.endpoints.filter { $0 != place }
        let places = Array(((place.map { [$0] } ?? []) + known).prefix(Self.mostPlaces))
        let answers = await ask(places, pairing.dialect)
        return ShownCertificates(
            pairing: pairing,
            places: places,
            answers: places.indices.compactMap { answers[$0] },
            others: try? await stored({ store throws(StoreError) in try store.pairings() })
        )
    }

    /// Asks places at once.
    ///
    /// - Returns: The answers over TLS, by the numbers of their places.
    private func ask(_ places: [Endpoint], _ dialect: GatewayDialect) async -> [Int: ShownCertificates.Answer] {
        await withTaskGroup(of: (Int, ShownCertificates.Answer?).self) { group in
            for (number, place) in places.enumerated() {
                let target = GatewayProbeTarget(
                    endpoints: [place],
                    rules: TargetRules(origin: .user),
                    hints: [ProbeHint(expected: dialect, transports: .tlsOnly)]
                )
                group.addTask { [configuration] in
                    let report = await GatewayProbe(configuration.probe).run(target)
                    guard let leaf = report.path?.leaf else { return (number, nil) }
                    let payload: DiscoverPayload? =
                        if case .optaplus(let payload) = report.verdict { payload } else { nil }
                    let answer = ShownCertificates.Answer(
                        place: place,
                        leaf: leaf,
                        isGateway: payload != nil,
                        fingerprint: payload?.fingerprint
                    )
                    return (number, answer)
                }
            }
            var found: [Int: ShownCertificates.Answer] = [:]
            for await (number, answer) in group { found[number] = answer }
            return found
        }
    }
}
