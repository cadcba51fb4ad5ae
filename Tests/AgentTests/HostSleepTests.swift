import Reports
import Testing

@testable import Agent

/// The sleep of this host, as two clocks and the time of the next look show it.
@Suite struct HostSleepTests {
    private var now = ContinuousClock.now
    private var awake = SuspendingClock.now
    private var time = Timestamp("2026-11-26T12:00:00.000Z")!
    private var sleep: HostSleep

    init() {
        sleep = HostSleep(Moment(instant: now, time: time, minuteOfDay: 0), awake: awake)
    }

    /// Looks after a time, in a part of which this host was awake.
    private mutating func look(after duration: Duration, awake awakeTime: Duration, within: Duration) -> Timestamp? {
        sleep.expect(within: within)
        now += duration
        awake += awakeTime
        time = time.advanced(by: duration)
        return sleep.look(Moment(instant: now, time: time, minuteOfDay: 0), awake: awake)
    }

    @Test mutating func aLongWaitIsNoSleep() {
        #expect(look(after: .seconds(60), awake: .seconds(60), within: .seconds(60)) == nil)
        #expect(look(after: .seconds(66), awake: .seconds(64), within: .seconds(60)) == nil)
        #expect(look(after: .seconds(1), awake: .seconds(1), within: .seconds(60)) == nil)
    }

    /// Even if it ends before the next look is due.
    @Test mutating func aSleepEndsNow() {
        let slept = look(after: .seconds(30), awake: .seconds(10), within: .seconds(60))
        #expect(slept == time.advanced(by: .seconds(-20)))
        #expect(look(after: .seconds(5), awake: .seconds(5), within: .seconds(60)) == nil)
    }

    @Test mutating func aProcessThatWasStoppedHasSleptSinceItsLastLook() {
        let before = time
        #expect(look(after: .seconds(100), awake: .seconds(100), within: .seconds(60)) == before)
    }
}
