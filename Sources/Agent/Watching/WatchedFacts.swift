internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The gateways that a user wants to be told of, as facts for the rules. A value.
///
/// A gateway is watched by its pairing, else by its address in the settings, else by its row, such as one to which the user
/// has given a name. A row is lost with its service. Only then the gateway is *absent*, and counts as gone: whatever else takes
/// a row away from here, such as a pairing, other settings or another row that it joins, says nothing about the gateway.
struct WatchedFacts {
    /// The maximum number of watched gateways.
    static let most = 1_024

    private var paired = PairedGateways()
    private var revoked: [BinnedPairing] = []
    private var rows = WatchedRows()

    /// The names by which gateways were known last.
    private var names: [String: String]

    /// The names that the user has given to gateways, and those of the watched ones, by their keys.
    private var given = GivenNames()

    /// The gateways that have answered where the user has named some, by their keys, and those of this run.
    private var holders: [String: Occupant]
    private var held: Set<String> = []

    /// The gateways of an earlier run, until it is known whether they are still watched.
    private var earlier: [RememberedGateway]

    /// Creates facts.
    ///
    /// - Parameter remembered: What an earlier run of the agent has remembered.
    init(_ remembered: [RememberedGateway] = []) {
        names = Dictionary(remembered.map { ($0.subject.key, $0.subject.name) }) { first, _ in first }
        holders = Dictionary(
            remembered.compactMap { gateway in gateway.memory.holder.map { (gateway.subject.key, $0) } }
        ) { first, _ in first }
        earlier = remembered
    }

    /// Takes in what is paired and named, and what gateways have revoked.
    mutating func take(_ stored: StoredAccess) {
        // What it would report to the map, the sessions have reported already.
        _ = paired.take(stored.pairings, network: { _ in nil })
        revoked = stored.revoked
        given.take(stored.aliases, earlier)
    }

    /// Returns those of the gateways that may be new on the local network. What answers at a place of a paired gateway, or
    /// under its fingerprint, is told of as that one's trouble.
    func newcomers(_ gateways: [Gateway]) -> [Notice.Subject] {
        let stored = paired.pairings.values
        let places = Set(stored.flatMap(\.endpoints).map(\.unnamed))
        let fingerprints = Set(stored.compactMap(\.fingerprint))
        return gateways.filter { row in
            row.fingerprint.map(fingerprints.contains) != true
                && !row.paths.contains { $0.liveness?.isAlive == true && places.contains($0.endpoint.unnamed) }
        }
        .compactMap(\.newcomer)
    }

    /// The names by which gateways are watched that are paired, or were watched before.
    var chosenNames: [String] {
        paired.pairings.values.flatMap { $0.names + [$0.shortID, "\($0.id)"] } + Array(names.values)
            + rows.names
    }

    /// Returns what gateways have revoked, of those that the user wants to be told of.
    func revocations(_ watched: NoticePolicy.Watched) -> [Revocation] {
        revoked.filter { item in
            let pairing = item.pairing
            let names = pairing.names + [names["\(pairing.id)"] ?? "", pairing.shortID, "\(pairing.id)"]
            return watched.includes(names, at: pairing.endpoints, isOwn: true)
        }.prefix(Self.most).map { item in
            let key = "\(item.pairing.id)"
            return Revocation(
                id: "\(item.id) \(item.time)",
                Notice.Subject(key: key, name: names[key] ?? item.pairing.name),
                at: Timestamp(milliseconds: item.time),
                isWhole: item.isWhole
            )
        }
    }

    /// Returns what is known of all watched gateways.
    ///
    /// - Parameters:
    ///   - named: The gateways that the settings name.
    ///   - heard: The last answers.
    ///   - hasNetwork: Says whether a network of this host leads to one of these addresses; without any, whether there is a
    ///     network at all.
    mutating func facts(
        _ snapshot: ConstellationSnapshot,
        _ watched: NoticePolicy.Watched,
        named: [NamedPlace] = [],
        heard: LastAnswers,
        now: ContinuousClock.Instant,
        hasNetwork: ([IPAddress]) -> Bool
    ) -> [GatewayFacts] {
        guard watched != .none else {
            rows = WatchedRows()
            return []
        }
        var facts: [GatewayFacts] = []
        given.see(snapshot.gateways)
        let pairedRows = addPaired(snapshot, watched, heard, hasNetwork, to: &facts)
        let others = snapshot.gateways.filter { !pairedRows.contains($0.id) }
        let present = NamedPlace.present(named, in: snapshot.gateways, holders)
        let free = NamedPlace.unpaired(present, in: snapshot.gateways, paired)
        let namedRows = addNamed(free, snapshot.gateways, watched, heard, hasNetwork, to: &facts)
        let keys = Set(facts.map(\.subject.key))
        rows.recall(earlier, besides: keys, watched, &given, now)
        earlier = []
        for row in others where !namedRows.contains(row.id) && !keys.contains(row.id.description) {
            guard let subject = rows.follow(row, watched, &given, now) else { continue }
            facts.append(self.facts(of: row, subject, given.alias(of: subject.key, row), heard, hasNetwork))
        }
        let shown = Set(facts.map(\.subject.key))
        facts += rows.absent(from: snapshot, shown, watched, &given, now, hasNetwork)
        // The user's own come first: of others, anybody can make up any number.
        let found = Array((facts.filter(\.isOwn) + facts.filter { !$0.isOwn }).prefix(Self.most))
        hold(found)
        return found
    }

    /// Remembers who answers where the user has named gateways, as long as they are named.
    private mutating func hold(_ facts: [GatewayFacts]) {
        let keys = Set(facts.map(\.subject.key))
        for key in held.subtracting(keys) { holders[key] = nil }
        held = keys
        for fact in facts where fact.holder != nil { holders[fact.subject.key] = fact.holder }
    }

    // MARK: Paired and named gateways

    /// Adds what is paired.
    ///
    /// - Returns: The rows of all pairings.
    private mutating func addPaired(
        _ snapshot: ConstellationSnapshot,
        _ watched: NoticePolicy.Watched,
        _ heard: LastAnswers,
        _ hasNetwork: ([IPAddress]) -> Bool,
        to facts: inout [GatewayFacts]
    ) -> Set<GatewayID> {
        // Those rows alone: of others there may be thousands.
        let ids = Set(paired.pairings.keys.compactMap { paired.row(of: $0) })
        let rows = Dictionary(snapshot.gateways.lazy.filter { ids.contains($0.id) }.map { ($0.id, $0) }) { first, _ in
            first
        }
        let sessions = Dictionary(grouping: snapshot.sessions, by: \.pairing)
        var pairedRows: Set<GatewayID> = []
        for pairing in paired.pairings.values.sorted(by: { $0.id < $1.id }) {
            let row = paired.row(of: pairing.id).flatMap { rows[$0] }
            if let row { pairedRows.insert(row.id) }
            let names = pairing.names + (row?.allNames ?? []) + [pairing.shortID, "\(pairing.id)"]
            guard watched.includes(names, at: row?.paths.map(\.endpoint) ?? [], isOwn: true) else { continue }
            let (name, key) = (pairing.name, "\(pairing.id)")
            self.names[key] = name
            let own = sessions[key] ?? []
            let isAnother = own.areUncertified
            let troubles = Trouble.all(row, own)
            let presence = isAnother ? .gone : GatewayFacts.Presence(row, heard)
            let places = row?.ownPlaces ?? []
            facts.append(
                GatewayFacts(
                    Notice.Subject(key: key, name: name),
                    presence,
                    heard: row.flatMap { heard.time(of: $0) },
                    hasNetwork: hasNetwork((places.isEmpty ? pairing.endpoints : places).map(\.address)),
                    ways: isAnother ? [:] : row?.ways(isClaimed: false) ?? [:],
                    claimed: row?.ways(isClaimed: true) ?? [:],
                    readiness: isAnother ? nil : row?.readiness,
                    troubles: troubles,
                    refusal: own.refusal,
                    refusalReason: own.refusalReason,
                    isAccepted: own.areAccepted(besides: troubles),
                    reason: isAnother && row?.liveness?.isAlive == true
                        ? "no trusted certificate is shown in its place" : row?.reasonForSilence(presence),
                    approvals: own.lazy.compactMap(\.requests).first,
                    alias: given.alias(of: key, row)
                )
            )
        }
        return pairedRows
    }

    /// Adds what the settings name, whether a row shows it or not: each is watched at its own place.
    ///
    /// - Returns: The rows to which the settings lead.
    private mutating func addNamed(
        _ named: [NamedPlace],
        _ rows: [Gateway],
        _ watched: NoticePolicy.Watched,
        _ heard: LastAnswers,
        _ hasNetwork: ([IPAddress]) -> Bool,
        to facts: inout [GatewayFacts]
    ) -> Set<GatewayID> {
        var taken: Set<GatewayID> = []
        for place in NamedPlace.merged(named, in: rows) {
            let answer = place.answer(in: rows, after: holders[place.key])
            // A record can have the place shown in the row of another gateway.
            let row = answer.rows.first { $0.ownPlaces.contains(where: place.endpoints.contains) }
            taken.formUnion(answer.rows.filter { $0.ownPlaces.contains(where: place.endpoints.contains) }.map(\.id))
            if answer.difference == nil, let found = answer.name { names[place.key] = found }
            let name = names[place.key] ?? place.text
            guard
                watched.includes(
                    [name, place.text] + [place.soughtHost].compactMap(\.self) + (row?.allNames ?? []),
                    at: row?.paths.map(\.endpoint) ?? [],
                    isOwn: true
                )
            else {
                continue
            }
            let presence = answer.presence
            facts.append(
                GatewayFacts(
                    Notice.Subject(key: place.key, name: name),
                    presence,
                    heard: place.endpoints.compactMap { heard.times[$0] }.max(),
                    hasNetwork: hasNetwork(place.endpoints.map(\.address)),
                    ways: answer.difference == nil ? row?.ways(isClaimed: false) ?? [:] : [:],
                    claimed: row?.ways(isClaimed: true) ?? [:],
                    readiness: answer.difference == nil ? answer.path?.readiness : nil,
                    troubles: answer.replacement == nil ? [] : [.replaced],
                    reason: place.endpoints.isEmpty ? "its name leads to no address" : answer.reason(presence),
                    alias: given.alias(of: place.key, row),
                    holder: answer.difference == nil && presence == .answering ? answer.holder : nil
                )
            )
        }
        return taken
    }

    /// Returns the facts about a gateway without a pairing.
    private func facts(
        of row: Gateway,
        _ subject: Notice.Subject,
        _ alias: String?,
        _ heard: LastAnswers,
        _ hasNetwork: ([IPAddress]) -> Bool
    ) -> GatewayFacts {
        let former = alias == nil ? nil : holders[subject.key]
        let path = row.path(of: former)
        let holder = path.flatMap(NamedPlace.holder)
        let difference = former.flatMap { former in holder.flatMap { former.difference(from: $0) } }
        // What answers in its place is another thing.
        let isAnother = difference != nil || alias != nil && given.isAnother(row)
        let isIt = (row.hasAnsweredAsGateway || row.liveness == nil) && !isAnother
        // The map of this run may hold another place for its own.
        let other = path.flatMap { $0.counts ? nil : $0 }
        let found =
            other.map { GatewayFacts.Presence($0.liveness, isFlooding: $0.isFlooding) }
            ?? GatewayFacts.Presence(row, heard)
        let presence = isIt ? found : .gone
        return GatewayFacts(
            subject,
            presence,
            heard: other.map { heard.times[$0.endpoint] } ?? heard.time(of: row),
            hasNetwork: hasNetwork(row.ownPlaces.map(\.address)),
            ways: isIt ? row.ways(isClaimed: false) : [:],
            claimed: row.ways(isClaimed: true),
            readiness: isIt ? row.readiness : nil,
            troubles: isAnother && row.liveness?.isAlive == true ? [.replaced] : [],
            reason: isAnother ? Occupant.reason(difference) : row.reasonForSilence(presence),
            alias: alias,
            isOwn: alias != nil,
            holder: alias != nil && isIt && presence == .answering
                ? holder.map { former?.renewed(as: $0) ?? $0 } : nil
        )
    }
}
