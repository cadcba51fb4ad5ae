internal import DNSSD
internal import GatewayProtocol

/// The making of rows as they are shown.
extension BotMap {
    /// Makes the row of a candidate behind which no gateway has answered.
    ///
    /// - Parameter own: The endpoints that no other row shows.
    func makeRow(_ row: GatewayID, _ candidate: GatewayCandidate, _ own: [Endpoint]) -> Gateway {
        let known = candidates[candidate]
        var seen: Set = [candidate]
        var services = known.advertised.map { [$0] } ?? []
        for endpoint in own {
            for other in endpoints[endpoint].candidates where !candidates[other].isOwned && seen.insert(other).inserted
            {
                if let advertised = candidates[other].advertised { services.append(advertised) }
            }
        }
        services.sort { $0.service.instance < $1.service.instance }
        var flags: Set<GatewayFlag> = []
        if let fingerprint = known.fingerprint, isDisputed(fingerprint, by: candidate) {
            flags.insert(.sameFingerprint)
        }
        let paths = own.map { path(of: $0) }.sorted { $0.precedes($1) }
        let others = verdictsOnOtherPlaces(of: row, paths)
        flags.formUnion(pairingFlags(of: row, paths, others))
        return Gateway(
            particulars: particulars(
                row,
                name: known.name,
                fingerprint: known.fingerprint,
                services: services,
                reported: [],
                flags: flags,
                otherPlaces: others,
                isHere: true
            ),
            paths: paths
        )
    }

    /// Indicates whether others claim the fingerprint that a candidate advertises.
    private func isDisputed(_ fingerprint: GatewayFingerprint, by candidate: GatewayCandidate) -> Bool {
        guard let claims = claims[fingerprint] else { return false }
        return claims.rows.contains { isAlive($0) }
            || claims.candidates.contains { other in
                other != candidate && !candidates[other].isOwned && isDecided(other)
                    && !candidates[other].endpoints.contains { candidates[candidate].endpoints.contains($0) }
            }
    }

    /// Makes the row of a gateway that has answered, or of a paired gateway that is not present.
    ///
    /// - Parameter owned: The current candidates that belong to it.
    mutating func makeRow(_ row: GatewayID, _ owned: [GatewayCandidate]) -> Gateway {
        let leader = leader(of: row)
        let answer = leader.flatMap { endpoints[$0].outcome?.identity }
        var paths: [GatewayPath] = []
        for member in rows[row].members where endpoints[member].isVisible {
            var path = path(of: member)
            path.leads = member == leader
            if let leader { path.contradicts = contradicts(member, leader) }
            paths.append(path)
        }
        let isSilent = paths.isEmpty
        appendUnanswered(of: owned, row, to: &paths)
        let isHere = !paths.isEmpty
        // The row stays a gateway to its end, even when only endpoints are left that have never answered; and a paired one
        // that has stopped is shown as gone, though nothing leads to it any more.
        if isSilent, !paths.isEmpty || isPaired(row), let leader {
            paths.append(path(of: leader))
            paths[paths.count - 1].leads = true
        }
        if let place = placeOfPairing(row) {
            for index in paths.indices { paths[index].isElsewhere = !paths[index].endpoint.mayBeSamePlace(as: place) }
        }
        let others = verdictsOnOtherPlaces(of: row, paths)
        markHearsay(in: &paths, of: row, others)
        paths.sort { $0.precedes($1) }
        settleFlags(of: row, owned, paths, others, leader)
        settleName(of: row, owned)
        let services = owned.compactMap { candidates[$0].advertised }
        let reported = answer?.name.flatMap { $0.isEmpty ? nil : BotMapLimits.capped($0) }
        let atPairing = records.nameAtPairing(row).map(BotMapLimits.capped)
        let (fingerprint, flags) = (shownFingerprint(of: row), rows[row].flags)
        // What is in the place of a paired gateway, or claims to be it, has the name that it tells.
        let isItself = flags.isDisjoint(with: [.moved, .changedLeaf])
        let named = rows[row].namedBy
        // The name of an entry is its address, which says less than what the user has seen at pairing.
        let told = [reported, isManual(named?.key) ? nil : named?.name].compactMap(\.self)
        let names = isItself ? [atPairing].compactMap(\.self) + told : told + [atPairing].compactMap(\.self)
        let address = named?.name ?? rows[row].members.first.map { $0.description } ?? ""
        let name = names.first ?? address
        return Gateway(
            particulars: particulars(
                row,
                name: name,
                otherNames: names.filter { $0 != name },
                fingerprint: fingerprint,
                services: services,
                reported: isHere ? answer?.bots ?? [] : [],
                flags: flags,
                otherPlaces: others,
                isHere: isHere
            ),
            paths: paths
        )
    }

    private func shownFingerprint(of row: GatewayID) -> GatewayFingerprint? {
        if let fingerprint = rows[row].fingerprint { return fingerprint }
        if let fingerprint = rows[row].advertisedFingerprint { return fingerprint }
        return row.ownFingerprint
    }

    /// Appends the endpoints that have not answered as a gateway, of the candidates that led to a member when it
    /// answered. Candidates that have come to lead there since may be made up, and add none.
    private func appendUnanswered(of owned: [GatewayCandidate], _ row: GatewayID, to paths: inout [GatewayPath]) {
        var seen: Set<Endpoint> = []
        for candidate in owned where belongs(candidate, to: row) {
            for endpoint in candidates[candidate].endpoints where endpoints[endpoint].row == nil {
                guard seen.count < limits.endpointsPerService, seen.insert(endpoint).inserted else { continue }
                paths.append(path(of: endpoint))
            }
        }
    }

    private func belongs(_ candidate: GatewayCandidate, to row: GatewayID) -> Bool {
        if let home = homes[candidate] { return home == row }
        return row == .candidate(candidate)
            || siblings(of: candidate).contains { candidates[$0].endpoints.contains { endpoints[$0].row == row } }
    }

    func path(of endpoint: Endpoint) -> GatewayPath {
        let facts = endpoints[endpoint]
        var path = GatewayPath(
            endpoint: endpoint,
            reach: facts.reach,
            isManual: facts.candidates.contains { candidates[$0].isManual && candidates[$0].source == nil },
            outcome: facts.outcome,
            proof: facts.proof,
            liveness: facts.liveness,
            roundTrip: facts.roundTrip,
            waiting: facts.waiting,
            isFlooding: facts.isFlooding
        )
        path.source = facts.candidates.lazy.compactMap { candidates[$0].source }.first
        path.silence = facts.silence
        path.readiness = facts.readiness
        // The user has named it by its address, or what is there by a name.
        let isNamed = path.isManual || !aliases.isEmpty
        if isNamed, facts.outcome?.identity != nil { path.machine = facts.machine }
        return path
    }

    // MARK: Who leads

    /// Returns the member whose answer counts for the row: the most trusted, then the nearest, then the first to
    /// answer, even while it is silent.
    func leader(of row: GatewayID) -> Endpoint? {
        guard rows[row].members.count > 1 else { return rows[row].members.first }
        let place = placeOfPairing(row)
        return rows[row].members.min { left, right in
            var (mine, theirs) = (path(of: left), path(of: right))
            if let place {
                mine.isElsewhere = !mine.endpoint.mayBeSamePlace(as: place)
                theirs.isElsewhere = !theirs.endpoint.mayBeSamePlace(as: place)
            }
            if let isFirst = mine.isMoreTrusted(than: theirs) { return isFirst }
            let (one, other) = (endpoints[left], endpoints[right])
            if one.seniority != other.seniority { return one.seniority < other.seniority }
            return left < right
        }
    }

    /// Indicates whether a member contradicts the leader: it shows another certificate, or only one of the two shows any;
    /// but not where a session still has to find which certificates are trusted (see ``mayBothBeCertified(_:_:)``). Names,
    /// bots and dialects are compared only where each of the two was asked since the other one last reported something new.
    private func contradicts(_ member: Endpoint, _ leader: Endpoint) -> Bool {
        let (facts, first) = (endpoints[member], endpoints[leader])
        guard member != leader, let said = facts.outcome?.identity, let expected = first.outcome?.identity else {
            return false
        }
        let isProved = first.proof.isConclusive
        // One leaf in both handshakes is one holder of its key, whether or not it was reported as a proof.
        let isSameLeaf = said.leaf != nil && said.leaf == expected.leaf
        if isProved != facts.proof.isConclusive, !isSameLeaf { return isProved }
        if said.leaf != expected.leaf, !isProved, !mayBothBeCertified(member, leader) { return true }
        let isSettled = min(facts.probedAt, first.probedAt) >= max(facts.changedAt, first.changedAt)
        return isSettled && (said.dialect != expected.dialect || !said.saysTheSame(as: expected))
    }

    /// Indicates whether a session may still find that the certificates of two endpoints are trusted alike: both are places
    /// of a pairing with a host, where one certificate may have been renewed before the other.
    private func mayBothBeCertified(_ one: Endpoint, _ other: Endpoint) -> Bool {
        guard let row = endpoints[one].row, let known = marks[row], known.proof == .certificate else { return false }
        return [one, other].allSatisfy { endpoint in
            endpoints[endpoint].outcome?.identity?.leaf != nil && known.places.contains(known.naming(endpoint))
        }
    }

    // MARK: What is settled at an answer

    /// Updates the flags of a row. All but those about its pairing (see ``pairingFlags(of:_:_:)``) and
    /// ``GatewayFlag/elsewhere`` change with its answers only, so that the records of others cannot make them come and go;
    /// if each endpoint is asked only once, at any time. Where a proof tells who leads, ``GatewayFlag/contradicts`` ends
    /// without an answer, too, with what it was set for: while a session lives, none may come for long.
    private mutating func settleFlags(
        of row: GatewayID,
        _ owned: [GatewayCandidate],
        _ paths: [GatewayPath],
        _ others: [Endpoint: PathVerdict],
        _ leader: Endpoint?
    ) {
        if rows[row].history.answeredAt == sequence || !asksRepeatedly {
            var flags: Set<GatewayFlag> = []
            if let fingerprint = rows[row].fingerprint {
                if isClaimed(fingerprint, besides: row) { flags.insert(.sameFingerprint) }
            }
            if isAdvertisedAsAnother(row, owned) { flags.insert(.contradicts) }
            if paths.contains(where: \.contradicts) { flags.insert(.contradicts) }
            if let leader, hasLostItsLeaf(row, leader) { flags.insert(.contradicts) }
            rows[row].flags = flags
            rows[row].advertisedFingerprint = owned.compactMap { candidates[$0].fingerprint }.first
        }
        if rows[row].flags.contains(.contradicts), let leader, endpoints[leader].proof.isConclusive,
            !paths.contains(where: \.contradicts), !isAdvertisedAsAnother(row, owned)
        {
            rows[row].flags.remove(.contradicts)
        }
        var found = pairingFlags(of: row, paths, others)
        if answersElsewhere(row, paths) { found.insert(.elsewhere) }
        rows[row].flags.subtract([.moved, .changedLeaf, .elsewhere])
        rows[row].flags.formUnion(found)
    }

    /// Indicates whether a row that has shown a certificate is now led by an endpoint without one, which proves nothing:
    /// anybody can repeat the other answers.
    private func hasLostItsLeaf(_ row: GatewayID, _ leader: Endpoint) -> Bool {
        let facts = endpoints[leader]
        return rows[row].history.hasShownLeaf && facts.outcome?.identity?.leaf == nil && !facts.proof.isConclusive
    }

    private func isClaimed(_ fingerprint: GatewayFingerprint, besides row: GatewayID) -> Bool {
        guard let claims = claims[fingerprint] else { return false }
        return claims.rows.contains { $0 != row && isAlive($0) }
            || claims.candidates.contains { !candidates[$0].isOwned && owner(of: $0) != row && isDecided($0) }
    }

    /// Indicates whether all endpoints of a candidate have been asked, or wait to be: before that, its gateway may be
    /// the very row that it seems to dispute.
    private func isDecided(_ candidate: GatewayCandidate) -> Bool {
        !candidates[candidate].endpoints.isEmpty
            && candidates[candidate].endpoints.allSatisfy {
                endpoints[$0].outcome != nil || endpoints[$0].waiting != nil
            }
    }

    /// Indicates whether one of the candidates of a row advertises another fingerprint than the row's.
    private func isAdvertisedAsAnother(_ row: GatewayID, _ owned: [GatewayCandidate]) -> Bool {
        guard let fingerprint = rows[row].fingerprint else { return false }
        return owned.contains { advertisesAnother($0, than: fingerprint, of: row) }
    }

    /// Indicates whether a candidate advertises a fingerprint other than the row's, although a member to which it leads
    /// has answered since.
    private func advertisesAnother(
        _ candidate: GatewayCandidate,
        than fingerprint: GatewayFingerprint,
        of row: GatewayID
    ) -> Bool {
        guard let advertised = candidates[candidate].fingerprint, advertised != fingerprint else { return false }
        // A gateway that has just come back as another one answers a second before its records change.
        if rows[row].awaitsSecondAnswer, advertised == rows[row].succession.replacedFingerprint { return false }
        return candidates[candidate].endpoints.contains { endpoint in
            endpoints[endpoint].row == row && endpoints[endpoint].probedAt > candidates[candidate].claimedAt
        }
    }

    /// Settles the name of a gateway that reports none. It keeps the name of the candidate that was present at its
    /// first answer, until it answers while only others are present; a manual entry's name gives way to a service's.
    private mutating func settleName(of row: GatewayID, _ owned: [GatewayCandidate]) {
        guard rows[row].history.answeredAt == sequence, let first = owned.first else { return }
        let isThere = owned.contains { $0 == rows[row].namedBy?.key }
        if !isThere || candidates[first].isManual != true && isManual(rows[row].namedBy?.key) {
            rows[row].namedBy = (first, candidates[first].name)
        }
    }

    private func isManual(_ key: GatewayCandidate?) -> Bool {
        if case .endpoint = key { true } else { false }
    }

    // MARK: Bots

    private func particulars(
        _ id: GatewayID,
        name: String,
        otherNames: [String] = [],
        fingerprint: GatewayFingerprint?,
        services: [AdvertisedService],
        reported: [BotDescription],
        flags: Set<GatewayFlag>,
        otherPlaces: [Endpoint: PathVerdict],
        isHere: Bool
    ) -> GatewayDetails {
        let records = records[id] ?? [:]
        var bots: [Bot] = []
        var leftOut = 0
        for description in reported {
            let record = records[description.id]
            guard bots.count < limits.botsPerGateway || record?.pairing != nil else {
                leftOut += 1
                continue
            }
            bots.append(Self.bot(BotKey(gateway: id, bot: description.id), description, record))
        }
        if !records.isEmpty {
            let known = Set(reported.map(\.id))
            for (bot, record) in records.sorted(by: { $0.key < $1.key }) where !known.contains(bot) {
                // A bot that is being paired is shown as long as its gateway is present.
                guard record.pairing != nil || isHere else { continue }
                bots.append(Self.bot(BotKey(gateway: id, bot: bot), nil, record))
            }
        }
        return GatewayDetails(
            id: id,
            fingerprint: fingerprint,
            name: name,
            services: services,
            bots: bots,
            botsLeftOut: leftOut,
            flags: flags,
            isPaired: records.values.contains { $0.pairing != nil },
            foundLeaf: flags.contains(.changedLeaf) ? leafInPlace(of: id) : nil,
            otherPlaces: otherPlaces,
            otherNames: otherNames
        )
    }

    private static func bot(_ key: BotKey, _ description: BotDescription?, _ record: BotRecord?) -> Bot {
        Bot(
            id: key,
            name: BotMapLimits.capped(description?.name ?? record?.pairing?.name ?? key.bot.text),
            emoji: (description?.emoji ?? record?.pairing?.emoji).map(BotMapLimits.capped),
            status: description?.status.map(BotMapLimits.capped),
            state: record?.state ?? .discovered,
            isPaired: record?.pairing != nil
        )
    }
}
