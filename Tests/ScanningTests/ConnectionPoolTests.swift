import Testing

@testable import Scanning

@Suite struct ConnectionPoolTests {
    private let start = ContinuousClock.now

    private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// Reserved connections count against the limit before they are used.
    @Test func reservedConnectionsCount() {
        var pool = ConnectionPool(limit: 10)
        let isFree = [pool.reserve(6, at: start), pool.reserve(5, at: start), pool.reserve(4, at: start)]
        #expect(isFree == [true, false, true])
        #expect(!pool.isBlank)
    }

    /// Of reserved connections, those that were not used are free again at once, and those that were used after a
    /// minute.
    @Test func usedConnectionsAreReturnedAfterAMinute() {
        var pool = ConnectionPool(limit: 10)
        _ = pool.reserve(10, at: start)
        pool.settle(10, used: 4, at: after(1))
        let isFree = [pool.reserve(7, at: after(2)), pool.reserve(6, at: after(2))]
        #expect(isFree == [false, true])
        pool.settle(6, used: 0, at: after(3))
        let isFreeLater = [pool.reserve(10, at: after(60)), pool.reserve(10, at: after(61))]
        #expect(isFreeLater == [false, true])
    }

    /// The pool states the time at which used connections are a minute old and make room for new ones.
    @Test func timeForMoreConnectionsIsKnown() {
        var pool = ConnectionPool(limit: 10)
        for second in 0..<5 {
            _ = pool.reserve(2, at: after(second))
            pool.settle(2, used: 2, at: after(second))
        }
        #expect(pool.time(for: 1) == after(60))
        #expect(pool.time(for: 3) == after(61))
        _ = pool.reserve(2, at: after(60))
        // Only the release of reserved connections could make room for ten.
        #expect(pool.time(for: 10) == nil)
    }

    /// Connections that are a minute old are forgotten.
    @Test func connectionsAreForgottenAfterAMinute() {
        var pool = ConnectionPool(limit: 10)
        _ = pool.reserve(1, at: start)
        pool.settle(1, used: 1, at: start)
        #expect(!pool.isBlank)
        pool.forgetOld(after(60))
        #expect(pool.isBlank)
    }
}
