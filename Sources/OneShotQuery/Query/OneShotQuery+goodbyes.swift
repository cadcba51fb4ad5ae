internal import DNSMessages
package import DNSSD

/// Handling of goodbyes, so that instances that the backend does not see are withdrawn soon after theirs.
///
/// Anybody on the link can send a goodbye for anything, so that a goodbye is only a reason to ask. The instances that
/// goodbyes have named are asked for together, a second later, since they may be coming back (RFC 6762 §10.1), and not
/// again before their time to answer is over: a forger can cause questions for at most 32 instances on each path every
/// two seconds.
extension OneShotQuery {
    /// The number of instances of a path in doubt that are asked for together.
    static let doubtsPerRound = 32

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
            case .ptr(let instance) where browseTypes.contains(record.name): doubt(instance, on: path)
            case .srv: doubt(record.name, on: path)
            default: continue
            }
        }
    }

    /// Marks an instance that only the query sees as in doubt, since it may be gone, and plans to ask for it.
    mutating func doubt(_ name: DomainName, on path: ServicePath) {
        guard let row = paths[path]?.rows[name], row.isReported, !row.isConfirmed else { return }
        paths[path]?.rows[name]?.isInDoubt = true
        checks.scheduleDoubts(now: now)
    }

    /// Records that the endpoint of an instance does not answer. Where only the query sees the instance, it is asked
    /// for by name soon: its goodbye may have been sent before the query listened for goodbyes.
    package mutating func reconfirm(_ instance: ServiceInstance, now: ContinuousClock.Instant) {
        self.now = now
        guard let name = try? DomainName(escaped: instance.fullName) else { return }
        for path in paths.keys { doubt(name, on: path) }
    }

    /// Asks by name for the instances that are in doubt. They are withdrawn after a single check without an answer.
    mutating func askDoubted() -> [OneShotAction] {
        // A check is still waiting for answers.
        if checks.putDoubtsOff() { return [] }
        var isAny = false
        for (path, state) in paths.sorted(by: { $0.key < $1.key }) {
            let inDoubt = state.rows.filter { $0.value.isInDoubt }
            for name in draw(Self.doubtsPerRound, of: inDoubt.keys) {
                paths[path]?.rows[name]?.isInDoubt = false
                paths[path]?.rows[name]?.isDoubted = true
                paths[path]?.rows[name]?.wasAsked = false
                paths[path]?.rows[name]?.hasAnswered = false
                paths[path]?.rows[name]?.misses = Self.allowedMisses
                isAny = true
            }
            if inDoubt.count > Self.doubtsPerRound { checks.scheduleDoubts(now: now) }
        }
        guard isAny else { return [] }
        // They are asked once more before the check ends, in case a packet was lost.
        checks.begin(.doubted, now: now)
        return askByName(.doubted)
    }
}
