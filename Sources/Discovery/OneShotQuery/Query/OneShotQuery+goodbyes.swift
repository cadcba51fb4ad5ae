package import DNSSD

/// Handling of goodbyes, so that instances that the backend does not see are withdrawn soon after theirs.
///
/// Anybody on the link can send a goodbye for anything, so that a goodbye is only a reason to ask. The instances that
/// goodbyes have named are asked for together, a second later, since they may be coming back (RFC 6762 §10.1), and not
/// again before their time to answer is over: a forger can cause questions for at most 32 instances on each path every
/// two seconds.
extension OneShotQuery {
    /// The number of instances of a path that are reconfirmed together.
    static let reconfirmationsPerRound = 32

    /// Begins to listen to the groups for goodbyes. That costs the parsing of all multicast packets, so it waits while
    /// the backend is busy, and does not begin where the backend sees everything.
    mutating func awaitGoodbyes() -> [OneShotAction] {
        guard paths.values.contains(where: \.hasUnconfirmed) else { return [] }
        guard !backend.isBusy(now: now) else {
            goodbyeListening.expect(now: now)
            return []
        }
        goodbyeListening = .on
        return paths.keys.sorted().map { .listen(on: $0) }
    }

    /// Stops listening for goodbyes, since there is nothing left that only the query sees.
    mutating func stopAwaitingGoodbyes() -> [OneShotAction] {
        guard goodbyeListening == .on else { return [] }
        goodbyeListening = .off
        return multicastQuestion.isListening ? [] : [.stopListening]
    }

    /// Handles the goodbyes in a message.
    mutating func takeGoodbyes(_ message: DNSMessage, on path: ServicePath) {
        for record in message.answers where record.ttl == 0 && record.dnsClass == .internet {
            switch record.data {
            case .ptr(let instance) where browseNames.contains(record.name):
                scheduleReconfirmation(of: instance, on: path)
            case .srv: scheduleReconfirmation(of: record.name, on: path)
            default: continue
            }
        }
    }

    /// Plans to reconfirm an instance that only the query sees, since it may be gone (RFC 6762 §10.4).
    mutating func scheduleReconfirmation(of name: DomainName, on path: ServicePath) {
        guard let row = paths[path]?.rows[name], row.isReported, !row.isConfirmed else { return }
        paths[path]?.rows[name]?.awaitsReconfirmation = true
        checks.scheduleReconfirmation(now: now)
    }

    /// Records that the endpoint of an instance does not answer. Where only the query sees the instance, it is asked
    /// for by name soon: its goodbye may have been sent before the query listened for goodbyes.
    package mutating func reconfirm(_ instance: ServiceInstance, now: ContinuousClock.Instant) {
        self.now = now
        guard let name = try? DomainName(escaped: instance.fullName) else { return }
        for path in paths.keys { scheduleReconfirmation(of: name, on: path) }
    }

    /// Asks by name for the instances that await reconfirmation. They are withdrawn after a single check without an
    /// answer.
    mutating func askForReconfirmation() -> [OneShotAction] {
        // A check is still waiting for answers.
        if checks.postponeReconfirmation() { return [] }
        var isAny = false
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) {
            let awaiting = state.rows.filter { $0.value.awaitsReconfirmation }
            for name in draw(Self.reconfirmationsPerRound, of: awaiting.keys) {
                paths[path]?.rows[name]?.awaitsReconfirmation = false
                paths[path]?.rows[name]?.isBeingReconfirmed = true
                paths[path]?.rows[name]?.wasAsked = false
                paths[path]?.rows[name]?.hasAnswered = false
                paths[path]?.rows[name]?.misses = Self.allowedMisses
                isAny = true
            }
            if awaiting.count > Self.reconfirmationsPerRound { checks.scheduleReconfirmation(now: now) }
        }
        guard isAny else { return [] }
        // They are asked once more before the check ends, in case a packet was lost.
        checks.begin(.reconfirming, now: now)
        return askByName(.reconfirming)
    }
}
