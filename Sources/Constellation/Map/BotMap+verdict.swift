internal import DNSSD
internal import GatewayProtocol

/// The verdict on paired gateways: who answers on their paths, and whether it may have their tokens.
///
/// It is made here alone, of facts: what each endpoint has answered, whether it still does, and the marks of the pairing.
/// Views show it, and sessions seek no path against it.
extension BotMap {
    /// Returns the verdict on a path of a paired gateway's row; `nil` if the row is not paired, or without known marks.
    func verdict(on path: GatewayPath, of id: GatewayID) -> PathVerdict? {
        guard let known = marks[id] else { return nil }
        return known.verdict(on: path.endpoint, path.outcome, of: id, isAnywhere: placeOfPairing(id) != nil)
    }

    /// Returns the warnings about a paired gateway: whether something else is where it was, or whatever claims to be it
    /// has not proved it.
    ///
    /// While the gateway answers on any path, nothing is said of the others. As soon as it is silent on all of them, those
    /// count that have answered since: in an ordinary outage nobody has.
    ///
    /// - Parameter paths: The paths of its row, the first to be tried first.
    func pairingFlags(of row: Slot<Row>, _ paths: [GatewayPath]) -> Set<GatewayFlag> {
        let id = rows[row].key
        guard isPaired(id) else { return [] }
        let answers = paths.filter(\.isAnswer)
        guard let known = marks[id] else {
            return answers.isEmpty || answers.contains { !$0.contradicts && $0.proof != .unproved } ? [] : [.moved]
        }
        // Also those that have stopped.
        let accepted = paths.filter { $0.outcome?.identity != nil && isAccepted($0, of: id) }
        if accepted.contains(where: { $0.liveness == .answering || $0.isAnswer && $0.isFlooding }) { return [] }
        let silentSince = accepted.compactMap { answeredAt($0.endpoint) }.max() ?? 0
        if let home = known.home, let other = otherAnswer(at: home, than: row, known, since: silentSince) {
            return [other]
        }
        let others = answers.filter { path in
            !accepted.contains { $0.endpoint == path.endpoint } && answeredAt(path.endpoint) ?? 0 > silentSince
        }
        if !others.isEmpty { return [.moved] }
        guard !accepted.contains(where: \.isAnswer) else { return [] }
        return isClaimedElsewhere(row, known) || isAtSeveralPlaces(row, known, paths) ? [.moved] : []
    }

    /// Indicates whether a path answers as the gateway and may have its token, as far as can be seen.
    private func isAccepted(_ path: GatewayPath, of id: GatewayID) -> Bool {
        guard !path.contradicts else { return false }
        if path.proof.isConclusive { return true }
        switch verdict(on: path, of: id) {
        case .own: return true
        // Where any place of the network will do, another one has a warning of its own.
        case .possible: return path.isElsewhere
        case .unproved, .moved, .changedLeaf, .refused, nil: return false
        }
    }

    /// Indicates whether an endpoint in the row of a paired gateway answers as one that may not have the token: while the
    /// gateway itself is silent, each such answer may be the first since then.
    func isUnacceptedAnswer(of endpoint: Slot<EndpointFacts>, _ row: Slot<Row>) -> Bool {
        guard !marks.isEmpty, let known = marks[rows[row].key] else { return false }
        let facts = endpoints[endpoint]
        guard !facts.proof.isConclusive else { return false }
        let id = rows[row].key
        return known.verdict(on: facts.key, facts.outcome, of: id, isAnywhere: placeOfPairing(id) != nil) != .own
    }

    private func answeredAt(_ endpoint: Endpoint) -> UInt64? {
        endpoints.slot(of: endpoint).map { endpoints[$0].answeredAt }
    }

    /// Indicates whether a paired gateway without TLS, which is not where it was, may be one that claims to be it in
    /// another row: the user is asked. With TLS, the certificate tells those apart.
    private func isClaimedElsewhere(_ row: Slot<Row>, _ known: PairedMarks) -> Bool {
        guard case .address = known.proof, case .fingerprint(let fingerprint) = rows[row].key else { return false }
        return claims[fingerprint]?.rows.contains { $0 != row && isAlive($0) } == true
    }

    /// Returns the warning about what answers where a paired gateway was last: another certificate, or another gateway.
    private func otherAnswer(
        at home: Endpoint,
        than row: Slot<Row>,
        _ known: PairedMarks,
        since time: UInt64
    ) -> GatewayFlag? {
        guard let endpoint = endpoints.slot(of: home) else { return nil }
        let facts = endpoints[endpoint]
        guard facts.answeredAt > time, facts.liveness != .gone else { return nil }
        let id = rows[row].key
        switch known.verdict(on: home, facts.outcome, of: id, isAnywhere: placeOfPairing(id) != nil) {
        case .changedLeaf: return .changedLeaf
        case .moved, .unproved: return facts.outcome?.identity != nil && facts.row != row ? .moved : nil
        case .own, .possible, .refused: return nil
        }
    }

    /// Returns the certificate that is shown where a paired gateway was last.
    func leafInPlace(of id: GatewayID) -> LeafFingerprint? {
        marks[id]?.home.flatMap { endpoints.slot(of: $0) }.flatMap { endpoints[$0].outcome?.shownLeaf }
    }

    /// Indicates whether nothing answers any more at the place of a paired gateway that only a leaf tells from others, and
    /// several other places show that: each may be another gateway behind the same front.
    private func isAtSeveralPlaces(_ row: Slot<Row>, _ known: PairedMarks, _ own: [GatewayPath]) -> Bool {
        guard case .leaf(let pin) = known.proof, !known.dialect.tellsFingerprint else { return false }
        var all = own
        for other in leaves[pin] ?? [] where other != row {
            for member in rows[other].members where endpoints[member].isVisible { all.append(path(of: member)) }
        }
        for place in known.places where !all.contains(where: { $0.endpoint == place }) {
            if let endpoint = endpoints.slot(of: place) { all.append(path(of: endpoint)) }
        }
        let id = rows[row].key
        return all.contains { path in
            path.isAnswer && path.outcome?.shownLeaf == pin && !known.isItsPlace(path.endpoint)
                && !marks.isPlace(path.endpoint, ofAnotherThan: id)
                && known.verdict(onOtherPlace: path, among: all) == .moved(.port)
        }
    }
}

extension GatewayPath {
    /// Indicates whether a gateway answers there, or has only just stopped.
    package var isAnswer: Bool { outcome?.identity != nil && liveness?.isAlive == true }
}
