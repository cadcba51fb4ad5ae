internal import DNSSD

/// Recovering after packets of the link were lost: they were sent by multicast, and nobody sends them again unasked.
extension Querier {
    /// The time that must pass without further losses before everything is asked for again: sooner, the answers would
    /// be lost as well.
    private static let lossInterval = Duration.seconds(1)

    /// The shortest time between two recoveries.
    private static let recoveryInterval = Duration.seconds(60)

    /// Records that packets of the link were lost.
    mutating func lost(now: ContinuousClock.Instant) {
        self.now = now
        guard !names.isEmpty else { return }
        let earliest = now + Self.lossInterval
        recovery.next = recovery.last.map { max(earliest, $0 + Self.recoveryInterval) } ?? earliest
    }

    /// Asks once more for the instances of all names that have not been asked for within the last second, and will not
    /// be within the next one anyway: nobody answers twice within a second (RFC 6762 §6).
    mutating func recover(using random: inout some RandomNumberGenerator) {
        guard let time = recovery.next, time <= now else { return }
        recovery.next = nil
        let first = now + .milliseconds(Int.random(in: 20...120, using: &random))
        for name in names.keys.sorted() {
            let key = RecordKey(name, .ptr)
            guard let schedule = questions[key], schedule.next > now + Self.lossInterval else { continue }
            if let last = names[name]?.lastAsked, last > now - Self.lossInterval { continue }
            recovery.last = now
            questions[key]?.hurry(to: first)
            queue.insert(.question(key), at: first)
        }
    }
}
