internal import DNSSD

/// Checks that keep the instances that the backend does not see up to date.
extension OneShotQuery {
    /// The number of checks in a row that an instance may miss and still be kept.
    static let allowedMisses = 1

    /// The number of checks in which a path is still asked after an instance has gone from it: the instance may have
    /// been restarting.
    private static let checksAfterLoss = 2

    /// The number of checks in a row, each with an answering instance that the backend lacks, after which the user is
    /// warned: until then the backend may just be slow.
    private static let checksBeforeWarning = 2

    /// Ensures that another check is planned.
    mutating func expectCheck() {
        // Listening only begins if there is still something by then that only the query sees.
        goodbyeListening.expect(now: now)
        guard checks.isIdle else { return }
        let rows = paths.values.reduce(0) { count, path in
            count + path.rows.values.count { $0.isReported && !$0.isConfirmed }
        }
        // With many rows the interval is longer, so that all of them get their turn.
        let time = Duration.seconds(Double(rows) / Double(max(1, configuration.checksPerSecond)))
        checks.schedule(at: now + max(configuration.checkInterval, time))
    }

    /// Asks again for the instances that the backend does not confirm.
    mutating func check() -> [OneShotAction] {
        guard !backend.isRunning || paths.values.contains(where: \.wantsCheck) else { return stopAwaitingGoodbyes() }
        // A check, such as a reconfirmation, is still waiting for answers.
        if checks.waitForCheck() { return [] }
        if backend.isBusy(now: now) {
            // The backend is about to see for itself, and more packets would only get in its way.
            expectCheck()
            return []
        }
        var actions: [OneShotAction] = []
        for path in paths.keys.sorted() {
            guard let state = paths[path], !backend.isRunning || state.wantsCheck else { continue }
            var incomplete: [DomainName] = []
            for (name, row) in state.rows where !row.isConfirmed {
                paths[path]?.rows[name]?.hasAnswered = false
                // Incomplete instances are asked for by name as soon as they are listed.
                paths[path]?.rows[name]?.wasAsked = !row.isReported
                if !row.isReported || state.lacksAddress(row) { incomplete.append(name) }
            }
            for name in incomplete.sorted() { paths[path]?.askAgain(for: name) }
            if let bytes = paths[path]?.forgetHosts() { tally(bytes: -bytes, on: path) }
            paths[path]?.checksOwed = max(0, state.checksOwed - 1)
            paths[path]?.cutAnswers.beginCheck()
            paths[path]?.beginCheckOfHosts()
            actions += browse(on: path)
        }
        checks.begin(.unconfirmed, now: now)
        return actions
    }

    /// Ends a check: withdraws the instances that have been silent too often.
    mutating func judge(_ subject: InstanceChecks.Subject) {
        if subject == .unconfirmed {
            forgetUnlisted()
            forgetAddresses()
        }
        // An instance that answers on several paths counts once.
        var answering: Set<ServiceInstance> = []
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) {
            var gone: [(name: DomainName, instance: ServiceInstance)] = []
            // A reconfirmation has asked for no others.
            for (name, row) in state.rows
            where row.isReported && !row.isConfirmed && (row.isBeingReconfirmed || subject == .unconfirmed) {
                paths[path]?.rows[name]?.isBeingReconfirmed = false
                if row.hasAnswered {
                    paths[path]?.rows[name]?.misses = 0
                    answering.insert(row.instance)
                } else if row.wasAsked, row.misses >= Self.allowedMisses {
                    gone.append((name, row.instance))
                } else if row.wasAsked {
                    paths[path]?.rows[name]?.misses += 1
                }
            }
            for (name, instance) in gone.sorted(by: { $0.name < $1.name }) {
                events.append(.vanished(instance, path, .unanswered))
                remove(name, on: path)
            }
            if !gone.isEmpty { paths[path]?.checksOwed = Self.checksAfterLoss }
        }
        if subject == .unconfirmed {
            checks.note(answering: answering.count)
            if checks.answeredInARow >= Self.checksBeforeWarning { warnOfUnconfirmed(answering.count) }
        }
        // The check that finds nothing left to check also ends the listening for goodbyes.
        if goodbyeListening == .on || !backend.isRunning || paths.values.contains(where: \.wantsCheck) { expectCheck() }
    }

    /// Forgets incomplete instances that nobody has listed or answered for in two checks in a row. They were never
    /// reported.
    private mutating func forgetUnlisted() {
        for (path, state) in paths {
            var unlisted: [DomainName] = []
            for (name, row) in state.rows where !row.isReported && !row.isConfirmed && row.wasAsked {
                paths[path]?.rows[name]?.wasAsked = false
                if row.hasAnswered {
                    paths[path]?.rows[name]?.misses = 0
                } else if row.misses >= Self.allowedMisses {
                    unlisted.append(name)
                } else {
                    paths[path]?.rows[name]?.misses += 1
                }
            }
            for name in unlisted.sorted() { remove(name, on: path) }
        }
    }

    /// Forgets addresses that hosts no longer have. Answers that are cut prove nothing: the missing address may be what
    /// was cut off.
    private mutating func forgetAddresses() {
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) where !state.cutAnswers.hasAny {
            paths[path]?.endCheckOfHosts()
            events += (paths[path]?.takeSightings(as: path) ?? []).map { .sighted($0) }
        }
    }

    /// Warns that there are services that the backend does not see, and why. This happens once, with the count of that
    /// time.
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
