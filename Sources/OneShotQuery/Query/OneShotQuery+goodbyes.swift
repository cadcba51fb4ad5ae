internal import DNSMessages
package import DNSSD

/// The handling of goodbyes, so that instances that the backend does not see end soon after theirs.
///
/// Anybody on the link can say a goodbye for anything: it is a reason to ask, and no more. Those that were named are asked
/// together, a second later, as it may be coming back (RFC 6762 §10.1), and not again before they have had their time: a
/// forger gets questions for 32 instances out of it, on each path, every two seconds.
extension OneShotQuery {
    /// The number of instances of a path that are asked for together.
    static let doubtsPerRound = 32

    /// Begins to hear what is said to all. It costs the parsing of it: not where the backend does that, or is about to.
    mutating func awaitGoodbyes() -> [OneShotAction] {
        guard paths.values.contains(where: \.hasUnconfirmed) else { return [] }
        guard !backend.isBusy(now: now) else {
            goodbyeHearing.expect(now: now)
            return []
        }
        goodbyeHearing = .on
        return paths.keys.sorted().map { .hear(on: $0) }
    }

    /// There is nothing left that only the query sees.
    mutating func stopAwaitingGoodbyes() -> [OneShotAction] {
        guard goodbyeHearing == .on else { return [] }
        goodbyeHearing = .off
        return multicastQuestion.isHearing ? [] : [.stopHearing]
    }

    /// Takes in what somebody says is gone.
    mutating func takeGoodbyes(_ message: DNSMessage, on path: ServicePath) {
        for record in message.answers where record.ttl == 0 && record.dnsClass == .internet {
            switch record.data {
            case .ptr(let instance) where browseNames.contains(record.name): doubt(instance, on: path)
            case .srv: doubt(record.name, on: path)
            default: continue
            }
        }
    }

    /// There is reason to think that an instance is gone.
    mutating func doubt(_ name: DomainName, on path: ServicePath) {
        guard let row = paths[path]?.rows[name], row.isReported, !row.isConfirmed else { return }
        paths[path]?.rows[name]?.isInDoubt = true
        checks.scheduleDoubts(now: now)
    }

    /// Takes in that the endpoint of an instance does not answer. Where only the query sees it, it is asked for by name soon: its goodbye may
    /// have gone out before anybody listened.
    package mutating func reconfirm(_ instance: ServiceInstance, now: ContinuousClock.Instant) {
        self.now = now
        guard let name = try? DomainName(escaped: instance.fullName) else { return }
        for path in paths.keys { doubt(name, on: path) }
    }

    /// Asks those by name that are in doubt. One silence is enough for them.
    mutating func askDoubted() -> [OneShotAction] {
        // Others are being waited for.
        if checks.putDoubtsOff() { return [] }
        var isAny = false
        for (path, state) in paths {
            let inDoubt = state.rows.filter { $0.value.isInDoubt }
            for name in inDoubt.keys.prefix(Self.doubtsPerRound) {
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
        // Once more against loss, before they are judged.
        checks.begin(.doubted, now: now)
        return askByName(.doubted)
    }
}
