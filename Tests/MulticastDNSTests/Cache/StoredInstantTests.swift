import Testing

@testable import Discovery

@Suite struct StoredInstantTests {
    /// A time is the same after it was stored, to the nanosecond, on either side of the origin: a record would expire at
    /// another time than it was scheduled for.
    @Test(arguments: [0, 1, 999_999_999, 86_400_000_000_001, -1, -999_999_999, -5_000_000_000])
    func aTimeIsKept(nanoseconds: Int64) {
        let time = ContinuousClock.now + .nanoseconds(nanoseconds)
        #expect(StoredInstant(wrappedValue: time).wrappedValue == time)
    }

    /// Times keep their order, and the fraction of a nanosecond is rounded.
    @Test func fractionsAreRounded() {
        let now = ContinuousClock.now
        let stored = StoredInstant(wrappedValue: now)
        func after(_ attoseconds: Int64) -> StoredInstant {
            StoredInstant(wrappedValue: now + Duration(secondsComponent: 0, attosecondsComponent: attoseconds))
        }
        let later = after(1_600_000_000)
        #expect(after(1) == stored)
        #expect(stored < later && later.wrappedValue == now + .nanoseconds(2))
    }
}
