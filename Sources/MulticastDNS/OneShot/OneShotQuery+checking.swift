internal import DNSMessages
internal import DNSSD

/// How what the backend does not see is kept true.
extension OneShotQuery {
    /// How long the question for all instances is waited for before those that are silent are asked by name.
    private static let namingDelay = Duration.milliseconds(300)

    /// How long a check takes.
    private static let checkTime = Duration.seconds(1)

    /// How many checks in a row an instance may miss, less one.
    private static let allowedMisses = 1

    /// After how many checks in which the backend lacked something that answers the user is told: it may be slow.
    private static let checksBeforeWarning = 2

    /// How long a backend that works through what it sees is left alone.
    private static let backendTime = Duration.seconds(30)

    /// Sees to it that there is a next check.
    mutating func expectCheck() {
        guard checkAt == nil, judgeAt == nil else { return }
        let rows = paths.values.reduce(0) { count, path in
            count + path.rows.values.count { $0.told != nil && !$0.isConfirmed }
        }
        // With many rows it takes longer, and all of them have their turn.
        let time = Duration.seconds(Double(rows) / Double(max(1, configuration.checksPerSecond)))
        checkAt = now + max(configuration.checkInterval, time)
    }

    /// An instance is gone from one path: a goodbye that the query does not hear has gone out on the others as well, more
    /// likely than not. One silence is enough then.
    mutating func doubt(_ name: DNSName, butOn path: ServicePath) {
        for other in paths.keys where other != path {
            guard let row = paths[other]?.rows[name], row.told != nil, !row.isConfirmed else { continue }
            paths[other]?.rows[name]?.misses = Self.allowedMisses
            // A second later, as after a goodbye (RFC 6762 §10.1): it may be coming back.
            if judgeAt == nil { checkAt = min(checkAt ?? now + Self.checkTime, now + Self.checkTime) }
        }
    }

    /// Asks again for what is not confirmed.
    mutating func check() -> [OneShotAction] {
        guard !isBackendRunning || paths.values.contains(where: \.hasUnconfirmed) else { return [] }
        if isBackendRunning, let busySince, now < busySince + Self.backendTime {
            // It is about to see for itself, and more packets would only be in its way.
            expectCheck()
            return []
        }
        var actions: [OneShotAction] = []
        for path in paths.keys.sorted() {
            guard let state = paths[path], !isBackendRunning || state.hasUnconfirmed else { continue }
            for (name, row) in state.rows {
                if row.told != nil {
                    paths[path]?.rows[name]?.hasAnswered = false
                    paths[path]?.rows[name]?.wasAsked = false
                } else if !row.isConfirmed {
                    paths[path]?.rows[name]?.rounds = 0
                    paths[path]?.missing.insert(name)
                    paths[path]?.hasNewMissing = true
                }
            }
            if let bytes = paths[path]?.forgetHosts() { tally(bytes: -bytes, on: path) }
            actions += browse(on: path)
        }
        nameAt = now + Self.namingDelay
        judgeAt = now + Self.checkTime
        return actions
    }

    /// Looks who has answered, and takes back what has been silent too often.
    mutating func judge() {
        var answering = 0
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) {
            for (name, row) in state.rows where row.told != nil && !row.isConfirmed {
                if row.hasAnswered {
                    paths[path]?.rows[name]?.misses = 0
                    answering += 1
                } else if row.wasAsked, row.misses >= Self.allowedMisses {
                    events.append(.vanished(row.instance, path, .unanswered))
                    remove(name, on: path)
                } else if row.wasAsked {
                    paths[path]?.rows[name]?.misses += 1
                }
            }
        }
        unconfirmedChecks = answering > 0 ? unconfirmedChecks + 1 : 0
        if unconfirmedChecks >= Self.checksBeforeWarning { warn(answering) }
        if answering > 0 || !isBackendRunning || paths.values.contains(where: \.hasUnconfirmed) { expectCheck() }
    }

    /// Says why there are services that the backend does not see. Once: the number is that of the first time.
    private mutating func warn(_ count: Int) {
        guard warned.insert(.notConfirmed).inserted else { return }
        let services = count == 1 ? "1 service answers" : "\(count) services answer"
        let reason =
            isBackendRunning
            ? "the daemon does not list, as happens when its cache is full (cache-entries-max in avahi-daemon.conf)"
            : "the daemon cannot list, since it does not work just now"
        events.append(
            .warning(
                BackendWarning(
                    .notConfirmed,
                    "\(services) to our own questions that \(reason). They are shown, and asked for again and again."
                )
            )
        )
    }
}
