internal import DNSSD
internal import GatewayProtocol
internal import Scanning

/// The gateways without a pairing that are watched by their rows, also while they have none. A value.
struct WatchedRows {
    /// The time for which a gateway that no row shows any more is still watched.
    private static let longestAbsence = Duration.seconds(86_400)

    /// One of them.
    private struct Seen {
        var subject: Notice.Subject

        /// Its fingerprint and its places, when its row last showed them.
        var fingerprint: GatewayFingerprint?
        var places: [Endpoint]

        /// The wish by which it is watched: it still is after it has taken another name.
        let watched: NoticePolicy.Watched

        /// The time at which a row last showed it.
        var time: ContinuousClock.Instant

        /// Indicates whether a row has shown it in this run of the agent.
        var isOfThisRun = true
    }

    private var seen: [String: Seen] = [:]

    /// Their names.
    var names: [String] { seen.values.map(\.subject.name) }

    /// Watches anew what was watched in an earlier run, as far as that is still wanted: what the user was told is gone, so that
    /// its return is told, and what has a name, so that it is told if it has gone meanwhile.
    mutating func recall(
        _ earlier: [RememberedGateway],
        besides keys: Set<String>,
        _ watched: NoticePolicy.Watched,
        _ given: inout GivenNames,
        _ now: ContinuousClock.Instant
    ) {
        // The key of a pairing is a number, and that of a row begins with a word and a colon.
        for gateway in earlier where !keys.contains(gateway.subject.key) && gateway.subject.key.contains(":") {
            let subject = gateway.subject
            let isNamed = given.alias(of: subject.key, nil) != nil
            guard isNamed || gateway.memory.told != .up, watched.includes([subject.name], at: [], isOwn: isNamed) else {
                continue
            }
            seen[subject.key] = Seen(
                subject: subject,
                places: [],
                watched: watched,
                time: now,
                isOfThisRun: false
            )
        }
    }

    /// Watches a row, if it is a gateway that the user wants to be told of.
    mutating func follow(
        _ row: Gateway,
        _ watched: NoticePolicy.Watched,
        _ given: inout GivenNames,
        _ now: ContinuousClock.Instant
    ) -> Notice.Subject? {
        let key = row.id.description
        let known = seen[key]
        guard row.hasAnsweredAsGateway || known != nil else { return nil }
        let places = row.paths.map(\.endpoint)
        guard Self.isWatched(key, known, row.allNames, at: places, row, watched, &given) else { return nil }
        let name = row.hasAnsweredAsGateway || known == nil ? row.name : known?.subject.name ?? row.name
        let subject = Notice.Subject(key: key, name: name)
        seen[key] = Seen(
            subject: subject,
            fingerprint: row.fingerprint ?? known?.fingerprint,
            places: row.ownPlaces,
            watched: watched,
            time: now
        )
        return subject
    }

    /// Indicates whether the user wants to be told of a gateway that is watched by its row: still, after it has taken another
    /// name; and one that is watched for the name that the user gave it, as long as it has that.
    private static func isWatched(
        _ key: String,
        _ known: Seen?,
        _ names: [String],
        at places: [Endpoint],
        _ row: Gateway?,
        _ watched: NoticePolicy.Watched,
        _ given: inout GivenNames
    ) -> Bool {
        let isNamed = given.alias(of: key, row) != nil
        if watched != .own, known?.watched == watched { return true }
        return watched.includes(names, at: places, isOwn: isNamed)
    }

    /// Returns what is known of the gateways whose rows are lost, and forgets those that are not watched any more.
    ///
    /// - Parameter shown: The keys of the gateways that are not absent.
    mutating func absent(
        from snapshot: ConstellationSnapshot,
        _ shown: Set<String>,
        _ watched: NoticePolicy.Watched,
        _ given: inout GivenNames,
        _ now: ContinuousClock.Instant,
        _ hasNetwork: ([IPAddress]) -> Bool
    ) -> [GatewayFacts] {
        let ids = Set(snapshot.gateways.map(\.id.description))
        var fingerprints: [Endpoint: [GatewayFingerprint?]] = [:]
        for row in snapshot.gateways where row.hasAnsweredAsGateway {
            for place in row.ownPlaces { fingerprints[place, default: []].append(row.fingerprint) }
        }
        for (key, item) in seen where !shown.contains(key) {
            // Its row is there, and is watched otherwise or no more.
            let isLost = !ids.contains(key)
            let isRecent = now - item.time < Self.longestAbsence || given.alias(of: key, nil) != nil
            guard isLost, isRecent,
                Self.isWatched(key, item, [item.subject.name], at: item.places, nil, watched, &given)
            else {
                seen[key] = nil
                continue
            }
            // Its row has joined another one, unless that is another gateway at its address.
            let hasJoined = item.places.contains { place in
                fingerprints[place]?.contains { $0 == nil || item.fingerprint == nil || $0 == item.fingerprint } == true
            }
            if hasJoined, given.alias(of: key, nil) == nil { seen[key] = nil }
        }
        // Gateways that come and go under ever other names must not fill the memory.
        let absent = seen.filter { !shown.contains($0.key) }
            .sorted { ($1.value.time, $0.key) < ($0.value.time, $1.key) }
        for (key, _) in absent.dropFirst(WatchedFacts.most) { seen[key] = nil }
        return absent.prefix(WatchedFacts.most).sorted { $0.key < $1.key }.map { key, item in
            let alias = given.alias(of: key, nil)
            return GatewayFacts(
                item.subject,
                // Of an earlier run, nobody knows yet.
                item.isOfThisRun ? .gone : .unknown,
                hasNetwork: hasNetwork(item.places.map(\.address)),
                reason: item.isOfThisRun ? "it is not announced any more" : nil,
                alias: alias,
                isOwn: alias != nil
            )
        }
    }
}
