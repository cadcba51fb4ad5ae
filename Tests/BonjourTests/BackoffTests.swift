import Testing

@testable import Bonjour

@Suite struct BackoffTests {
    private let now = ContinuousClock.now

    /// The interval between attempts grows up to a limit, so that a missing daemon is not tried too often, and is found
    /// within seconds once it is back.
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

    /// The interval is reset only if the daemon has stayed for a while, since a daemon that accepts each call and then
    /// ends must not be tried in a tight loop.
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
