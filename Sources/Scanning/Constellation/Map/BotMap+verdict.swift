internal import DNSSD
internal import GatewayProtocol

/// The verdict on paired gateways: who answers on their paths, and whether it may have their tokens.
///
/// It is made here alone, of facts: what each endpoint has answered, whether it still does, and the marks of the pairing.
/// Views show it, and sessions seek no path against it.
extension BotMap {
    /// Returns the verdict on an endpoint and the outcome of its last probe.
    ///
    /// - Parameter others: The verdicts on other places that show its certificate.
    func verdict(
        on endpoint: Endpoint,
        _ outcome: ProbeOutcome?,
        of id: GatewayID,
        _ known: PairedMarks,
        _ others: [Endpoint: PathVerdict] = [:]
    ) -> PathVerdict {
        let reach = endpoints[endpoint].reach
        return known.verdict(
            on: endpoint,
            outcome,
            isNear: reach == .local,
            of: id.ownFingerprint,
            isAnywhere: placeOfPairing(id) != nil,
            others: others
        )
    }

    /// Returns the warnings about a paired gateway: whether something else is where it was, or whatever claims to be it
    /// has not proved it.
    ///
    /// - Parameters:
    ///   - paths: The paths of its row, the first to be tried first.
    ///   - others: The verdicts on other places that show its certificate.
    func pairingFlags(
        of row: GatewayID,
        _ paths: [GatewayPath],
        _ others: [Endpoint: PathVerdict]
    ) -> Set<GatewayFlag> {
        guard isPaired(row) else { return [] }
        let answers = paths.filter(\.isAnswer)
        guard let known = marks[row] else {
            return answers.isEmpty || answers.contains { !$0.contradicts && $0.proof != .unproved } ? [] : [.moved]
        }
        // Also those that have stopped.
        let seen = paths.filter { $0.outcome?.identity != nil }.map { path in
            SeenAnswer(
                verdict(on: path.endpoint, path.outcome, of: row, known, others),
                path.proof == .pinnedLeaf ? .pinnedLeaf : path.proof.isConclusive ? .other : .none,
                path.liveness == .answering || path.isAnswer && path.isFlooding
                    ? .answering : path.isAnswer ? .alive : .gone,
                at: endpoints[path.endpoint].answeredAt,
                isElsewhere: path.isElsewhere,
                contradicts: path.contradicts,
                isNamedOtherwise: known.isNamedOtherwise(path.endpoint)
            )
        }
        let warning = PairedWarning.of(
            seen,
            home: known.home.flatMap { answer(at: $0, besides: row, known) },
            isHomeToBeAsked: known.home.map(isAboutToBeAsked) == true,
            isClaimed: isClaimedElsewhere(row, known) || isAtOtherPlaces(others)
        )
        return switch warning {
        case .changedLeaf: [.changedLeaf]
        case .moved: [.moved]
        case nil: []
        }
    }

    /// Indicates whether an endpoint in the row of a paired gateway answers as one that may not have the token: while the
    /// gateway itself is silent, each such answer may be the first since then.
    func isUnacceptedAnswer(of endpoint: Endpoint, _ row: GatewayID) -> Bool {
        guard !marks.isEmpty, let known = marks[row] else { return false }
        let facts = endpoints[endpoint]
        guard !facts.proof.isConclusive else { return false }
        return verdict(on: endpoint, facts.outcome, of: row, known) != .own
    }

    /// Indicates whether a gateway that the user trusts at any place of the network answers elsewhere than at that of its
    /// pairing, and may have its tokens there.
    ///
    /// The same port and path at another address of the same machine, as this host's kernel knows it, is no other place:
    /// whoever has that can have the place of the pairing as well. While that is about to be asked, and before the network
    /// there was compared with that of pairing, it is too early to say.
    func answersElsewhere(_ row: GatewayID, _ paths: [GatewayPath]) -> Bool {
        let others = paths.filter { $0.isElsewhere && $0.isAnswer }
        guard !others.isEmpty, let place = placeOfPairing(row) else { return false }
        if isAboutToBeAsked(place) { return false }
        let machine = endpoint(at: place).flatMap { endpoints[$0].machine }
        return others.contains { path in
            let other = endpoints[path.endpoint].machine
            if machine != nil, other == machine, path.endpoint.hasPortAndPath(of: place) { return false }
            guard let known = marks[row] else { return true }
            guard !known.isToBeCompared(path.endpoint) else { return false }
            return verdict(on: path.endpoint, path.outcome, of: row, known).maySeek
        }
    }

    /// Indicates whether a place of a pairing is going to be asked, by its name or without, and has not been yet. Where
    /// nothing leads, nobody asks.
    private func isAboutToBeAsked(_ place: Endpoint) -> Bool {
        for endpoint in [place, place.unnamed] {
            if endpoints[endpoint].outcome != nil { return false }
            if !endpoints[endpoint].candidates.isEmpty { return true }
        }
        return false
    }

    /// Indicates whether a paired gateway without TLS, which is not where it was, may be one that claims to be it in
    /// another row: the user is asked. With TLS, the certificate tells those apart.
    private func isClaimedElsewhere(_ row: GatewayID, _ known: PairedMarks) -> Bool {
        guard case .address = known.proof, let fingerprint = row.ownFingerprint else { return false }
        return claims[fingerprint]?.rows.contains { $0 != row && isAlive($0) } == true
    }

    /// Returns the answer where a paired gateway was last; `nil` if that is gone.
    private func answer(at home: Endpoint, besides row: GatewayID, _ known: PairedMarks) -> PairedWarning.Home? {
        guard let endpoint = endpoint(at: home) else { return nil }
        let facts = endpoints[endpoint]
        guard facts.liveness != .gone else { return nil }
        return PairedWarning.Home(
            verdict(on: home, facts.outcome, of: row, known),
            isAnotherGateway: facts.outcome?.identity != nil && facts.row != row,
            at: facts.answeredAt
        )
    }

    /// Returns the endpoint of a place of a pairing, which may be known without its name alone.
    private func endpoint(at place: Endpoint) -> Endpoint? {
        endpoints.known(place) ?? endpoints.known(place.unnamed)
    }

    /// Returns the certificate that is shown where a paired gateway was last.
    func leafInPlace(of id: GatewayID) -> LeafFingerprint? {
        marks[id]?.home.flatMap { endpoint(at: $0) }.flatMap { endpoints[$0].outcome?.shownLeaf }
    }

    // MARK: Behind a front

    /// Returns the verdicts on the other places that show the certificate of a paired gateway which only that tells from
    /// others, whichever rows they are in: other ports and paths, without those that are refused; and its own port and path
    /// at another address, if that may as well be the place of another pairing.
    ///
    /// The gateway's own places count even if nothing leads there any more, so that no row shows them.
    ///
    /// - Parameter own: The paths of its row.
    func verdictsOnOtherPlaces(of row: GatewayID, _ own: [GatewayPath]) -> [Endpoint: PathVerdict] {
        guard let known = marks[row], known.isKnownByLeafAlone(row.ownFingerprint), case .leaf(let pin) = known.proof
        else { return [:] }
        var all = own
        for other in leaves[pin] ?? [] where other != row {
            for member in rows[other].members where endpoints[member].isVisible { all.append(path(of: member)) }
        }
        for place in known.places where !all.contains(where: { $0.endpoint == place }) {
            if let endpoint = endpoints.known(place) { all.append(path(of: endpoint)) }
        }
        let seen = all.map(\.seen)
        var verdicts: [Endpoint: PathVerdict] = [:]
        for path in all where path.outcome?.shownLeaf == pin && !known.places.contains(known.naming(path.endpoint)) {
            let place = known.naming(path.endpoint)
            let isOfAnother = marks.isPlace(place, ofAnotherThan: row)
            if known.places.hasSite(of: place) {
                if isOfAnother { verdicts[path.endpoint] = .refused }
            } else if !isOfAnother {
                let verdict = known.verdict(onOther: path.seen, among: seen)
                if verdict != .refused { verdicts[path.endpoint] = verdict }
            }
        }
        return verdicts
    }

    /// Indicates whether nothing answers any more at the place of a paired gateway that only a leaf tells from others, and
    /// other places show that, to which its token does not go: each may be another gateway behind the same front.
    private func isAtOtherPlaces(_ others: [Endpoint: PathVerdict]) -> Bool {
        others.contains { place, verdict in
            guard case .moved = verdict, let endpoint = endpoints.known(place) else { return false }
            return path(of: endpoint).isAnswer
        }
    }
}

extension GatewayPath {
    /// Indicates whether a gateway answers there, or has only just stopped.
    package var isAnswer: Bool { outcome?.identity != nil && liveness?.isAlive == true }

    /// The path as a place behind a front.
    fileprivate var seen: SeenPlace {
        let isSilent =
            switch (silence, outcome) {
            // Of one that tells who it is, its own answers decide.
            case (.refused, let known), (.unreachable, let known): known?.identity?.isKnownByLeafAlone == true
            case (nil, .nothing(.refused)), (nil, .nothing(.unreachable)): true
            default: false
            }
        var isDead = liveness == .gone
        if case .nothing = outcome, liveness != .answering { isDead = true }
        return SeenPlace(endpoint, outcome, isSilent: isSilent, isDead: isDead)
    }
}
