internal import DNSMessages
internal import DNSSD

/// The checks that keep the instances that the backend does not see up to date.
extension OneShotQuery {
    /// The number of checks in a row that an instance may miss, less one.
    static let allowedMisses = 1

    /// The number of checks in which a path is asked again after an instance has gone from it: the instance may have
    /// been starting anew.
    private static let checksAfterLoss = 2

    /// The number of checks, in which the backend lacked something that answers, after which the user is told: it may be slow.
    private static let checksBeforeWarning = 2

    /// Sees to it that there is a next check.
    mutating func expectCheck() {
        // If there is still something then that only the query sees.
        goodbyeHearing.expect(now: now)
        guard checks.isIdle else { return }
        let rows = paths.values.reduce(0) { count, path in
            count + path.rows.values.count { $0.isReported && !$0.isConfirmed }
        }
        // With many rows it takes longer, and all of them have their turn.
        let time = Duration.seconds(Double(rows) / Double(max(1, configuration.checksPerSecond)))
        checks.schedule(at: now + max(configuration.checkInterval, time))
    }

    /// Asks again for what is not confirmed.
    mutating func check() -> [OneShotAction] {
        guard !backend.isRunning || paths.values.contains(where: \.wantsCheck) else { return stopAwaitingGoodbyes() }
        // Those in doubt are being waited for.
        if checks.waitForCheck() { return [] }
        if backend.isBusy(now: now) {
            // It is about to see for itself, and more packets would only be in its way.
            expectCheck()
            return []
        }
        var actions: [OneShotAction] = []
        for path in paths.keys.sorted() {
            guard let state = paths[path], !backend.isRunning || state.wantsCheck else { continue }
            for (name, row) in state.rows where !row.isConfirmed {
                paths[path]?.rows[name]?.hasAnswered = false
                // What is incomplete is asked for by name as soon as it is listed.
                paths[path]?.rows[name]?.wasAsked = !row.isReported
                if !row.isReported || state.lacksAddress(row) { paths[path]?.askAgain(for: name) }
            }
            if let bytes = paths[path]?.forgetHosts() { tally(bytes: -bytes, on: path) }
            paths[path]?.checksOwed = max(0, state.checksOwed - 1)
            paths[path]?.cutAnswers.beginCheck()
            paths[path]?.beginCheckOfHosts()
            actions += browse(on: path)
        }
        checks.begin(.unconfirmed, now: now)
        return actions
    }

    /// Looks who has answered, and takes back what has been silent too often.
    mutating func judge(_ subject: InstanceChecks.Subject) {
        if subject == .unconfirmed {
            forgetUnlisted()
            forgetAddresses()
        }
        // One that answers on several paths is one.
        var answering: Set<ServiceInstance> = []
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) {
            // Where there was a doubt only those that it was about were asked.
            for (name, row) in state.rows
            where row.isReported && !row.isConfirmed && (row.isDoubted || subject == .unconfirmed) {
                paths[path]?.rows[name]?.isDoubted = false
                if row.hasAnswered {
                    paths[path]?.rows[name]?.misses = 0
                    answering.insert(row.instance)
                } else if row.wasAsked, row.misses >= Self.allowedMisses {
                    events.append(.vanished(row.instance, path, .unanswered))
                    remove(name, on: path)
                    paths[path]?.checksOwed = Self.checksAfterLoss
                } else if row.wasAsked {
                    paths[path]?.rows[name]?.misses += 1
                }
            }
        }
        if subject == .unconfirmed {
            checks.note(answering: answering.count)
            if checks.answeredInARow >= Self.checksBeforeWarning { warnOfUnconfirmed(answering.count) }
        }
        // The check that finds nothing left to check ends the hearing of goodbyes.
        if goodbyeHearing == .on || !backend.isRunning || paths.values.contains(where: \.wantsCheck) { expectCheck() }
    }

    /// Lets go of what is incomplete, and what nobody has listed or answered for in two checks in a row: it was never told of.
    private mutating func forgetUnlisted() {
        for (path, state) in paths {
            for (name, row) in state.rows where !row.isReported && !row.isConfirmed && row.wasAsked {
                paths[path]?.rows[name]?.wasAsked = false
                if row.hasAnswered {
                    paths[path]?.rows[name]?.misses = 0
                } else if row.misses >= Self.allowedMisses {
                    remove(name, on: path)
                } else {
                    paths[path]?.rows[name]?.misses += 1
                }
            }
        }
    }

    /// Lets go of addresses that hosts have no more. Answers that are cut do not tell: the rest may be what was cut off.
    private mutating func forgetAddresses() {
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) where !state.cutAnswers.hasAny {
            paths[path]?.endCheckOfHosts()
            events += (paths[path]?.takeNews(as: path) ?? []).map { .sighted($0) }
        }
    }

    /// Says why there are services that the backend does not see. Once: the number is that of the first time.
    private mutating func warnOfUnconfirmed(_ count: Int) {
        let services = count == 1 ? "1 service answers" : "\(count) services answer"
        let reason =
            backend.isRunning
            ? """
            the backend does not list, as happens when the cache of avahi-daemon is full (cache-entries-max in \
            avahi-daemon.conf) or packets are lost
            """
            : "the backend cannot list, since it does not work just now"
        warn(
            BackendWarning(
                .notConfirmed,
                "\(services) to our own questions that \(reason). They are shown, and asked for again and again."
            )
        )
    }
}
