import Testing

@testable import Bonjour

@Suite struct BackoffTests {
    private let now = ContinuousClock.now

    /// A daemon that is away for long is not asked for it all the time, and one that comes back is found within seconds.
    @Test func itIsTriedEverMoreRarelyUpToALimit() {
        var backoff = Backoff()
        var delays: [Duration] = []
        for _ in 0..<8 {
            backoff.failed(now: now)
            delays.append((backoff.deadline ?? now) - now)
        }
        #expect(delays.first == Backoff.shortest)
        #expect(delays == delays.sorted())
        #expect(delays.last == Backoff.longest)
    }

    /// A daemon that takes every call and then goes away must not be asked in a loop.
    @Test func onlyADaemonThatStaysCountsAsBack() {
        var backoff = Backoff()
        for _ in 0..<8 { backoff.failed(now: now) }
        backoff.connected(now: now)
        #expect(backoff.deadline == nil)
        backoff.failed(now: now + .seconds(1))
        #expect(backoff.deadline == now + .seconds(1) + Backoff.longest)
        backoff.connected(now: now)
        backoff.failed(now: now + Backoff.steadyAfter)
        #expect(backoff.deadline == now + Backoff.steadyAfter + Backoff.shortest)
    }
}
