import Testing

@testable import Bonjour

@Suite struct ReferenceQuotaTests {
    /// The number of references is limited to 64, since each one takes a thread and a connection to the message bus in
    /// the library.
    @Test func thereAreNeverMoreThan64() {
        var quota = ReferenceQuota()
        var taken = 0
        for purpose in [ReferenceQuota.Purpose.watch, .standing, .lookup] {
            for _ in 0..<100 where quota.take(for: purpose) { taken += 1 }
        }
        #expect(taken == 64)
        #expect(quota.used == 64)
    }

    /// Browses, registrations and watches, which last long, leave references for look-ups; otherwise nothing would be
    /// resolved.
    @Test func whatLastsLeavesRoomForLookups() {
        var quota = ReferenceQuota()
        while quota.take(for: .watch) {}
        #expect(quota.used == 32)
        while quota.take(for: .standing) {}
        #expect(quota.used == 48)
        let isThereRoom = quota.take(for: .lookup)
        #expect(isThereRoom)
        quota.giveBack()
        #expect(quota.used == 48)
    }

    /// A session that waits for a reference is notified once when one is free, and not if it has stopped waiting.
    @Test func whoWaitsIsTold() async {
        let pool = ReferencePool()
        final class Waiter: Sendable {}
        let (first, second) = (Waiter(), Waiter())
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        #expect(pool.take(for: .lookup))
        #expect(pool.take(for: .lookup))
        pool.wait(ObjectIdentifier(first)) { continuation.yield("first") }
        pool.wait(ObjectIdentifier(second)) { continuation.yield("second") }
        pool.forget(ObjectIdentifier(second))
        pool.giveBack()
        pool.giveBack()
        continuation.finish()
        #expect(pool.used == 0)
        var reported: [String] = []
        for await text in stream { reported.append(text) }
        #expect(reported == ["first"])
        withExtendedLifetime((first, second)) {}
    }
}
