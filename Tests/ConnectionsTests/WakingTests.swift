import Synchronization
import TestSupport
import Testing

@testable import Pairing

/// The times at which sessions are sought: the back-off, the spreading of wake-ups, and what causes them.
@Suite struct WakingTests {
    @Test func backOffIsSpreadEvenlyAroundItsMean() {
        var generator = SeededGenerator(seed: 3)
        var counts = Array(repeating: 0, count: 4)
        for _ in 0..<4_000 {
            var backOff = BackOff()
            let factor = backOff.next(using: &generator) / BackOff.first
            #expect(factor >= 0.8 && factor <= 1.2)
            counts[min(Int((factor - 0.8) * 10), 3)] += 1
        }
        #expect(counts.allSatisfy { (900...1_100).contains($0) }, "\(counts)")
        var backOff = BackOff()
        for _ in 0..<100 { _ = backOff.next(using: &generator) }
        #expect(backOff.next(using: &generator) <= .seconds(18))
        backOff.reset()
        #expect(backOff.next(using: &generator) <= .milliseconds(960))
    }

    /// Up to ten sessions wake up at once.
    @Test(arguments: [1, 10])
    func aFewWakeUpAtOnce(count: Int) {
        var generator = SeededGenerator(seed: 4)
        #expect(WakeUpSpreading.delays(for: count, using: &generator) == Array(repeating: .zero, count: count))
    }

    /// More than ten sessions wake up evenly spread over three seconds, in random order.
    @Test(arguments: [11, 500])
    func manyAreSpreadOverThreeSeconds(count: Int) {
        var generator = SeededGenerator(seed: 4)
        let delays = WakeUpSpreading.delays(for: count, using: &generator)
        #expect(delays.count == count)
        #expect(delays.allSatisfy { $0 >= .zero && $0 < .seconds(3) })
        // Each half second has about the same number of them.
        for slice in 0..<6 {
            let range = Duration.milliseconds(500 * slice)..<Duration.milliseconds(500 * (slice + 1))
            let found = delays.count { range.contains($0) }
            #expect(abs(found - count / 6) <= 2)
        }
        #expect(delays != delays.sorted())
    }

    @Test func noneAreSpreadWhereThereIsNone() {
        var generator = SeededGenerator(seed: 4)
        #expect(WakeUpSpreading.delays(for: 0, using: &generator).isEmpty)
    }

    /// Wake-ups that come one by one are spread as well, after the first ten.
    @Test func manyThatComeOneByOneAreSpreadToo() {
        var generator = SeededGenerator(seed: 4)
        var spreading = WakeUpSpreading()
        let now = ContinuousClock.now
        let delays = (0..<100).map { _ in spreading.delay(now: now, using: &generator) }
        #expect(delays.prefix(10).allSatisfy { $0 == .zero })
        #expect(delays.dropFirst(10).allSatisfy { $0 >= .zero && $0 < .seconds(3) })
        #expect(Set(delays).count > 80)
        #expect(spreading.delay(now: now + .seconds(3), using: &generator) == .zero)
    }

    /// Sleep is detected if the clock that stops during sleep falls behind the other one, or if the process was stopped
    /// for long.
    @Test func sleepIsWhatTheTwoClocksDisagreeAbout() {
        var detector = SleepDetector()
        var now = ContinuousClock.now
        var awake = SuspendingClock.now
        func pass(_ time: Duration, asleep: Duration = .zero) -> Bool {
            now += time + asleep
            awake += time
            return detector.hasSlept(now: now, awake: awake, next: now + .seconds(1))
        }
        #expect(!pass(.zero))
        #expect(!pass(.seconds(1)))
        #expect(!pass(.seconds(1), asleep: .milliseconds(500)))
        #expect(pass(.seconds(1), asleep: .seconds(5)))
        #expect(!pass(.seconds(1)))
        // Both clocks went on, but the process was stopped.
        #expect(pass(.seconds(30)))
        #expect(!pass(.seconds(1)))
    }
}
