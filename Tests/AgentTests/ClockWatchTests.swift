import Reports
import Testing

@testable import Agent

@Suite struct ClockWatchTests {
    private let start = ContinuousClock.now
    private let time = Timestamp(milliseconds: 1_795_000_000_000)

    @Test func aClockThatGoesAsItShouldIsNoTrouble() {
        var watch = ClockWatch()
        for second in stride(from: 0, to: 100_000, by: 10) {
            // A time server corrects it by less than a second now and then.
            let wall = time.advanced(by: .seconds(second) + .milliseconds(second % 70 == 0 ? 900 : 0))
            #expect(watch.look(wall, start + .seconds(second)) == nil)
        }
    }

    /// The host sleeps: both clocks go on.
    @Test func sleepIsNoJump() {
        var watch = ClockWatch()
        #expect(watch.look(time, start) == nil)
        #expect(watch.look(time.advanced(by: .seconds(36_000)), start + .seconds(36_000)) == nil)
    }

    @Test(arguments: [-7_200, -6, 6, 7_200]) func aJumpIsToldForTenMinutes(seconds: Int) {
        var watch = ClockWatch()
        #expect(watch.look(time, start) == nil)
        func look(after elapsed: Int) -> String? {
            watch.look(time.advanced(by: .seconds(elapsed + seconds)), start + .seconds(elapsed))
        }
        let told = look(after: 10)
        #expect(told?.contains("from \(time.advanced(by: .seconds(10)))") == true)
        #expect(told?.contains("to \(time.advanced(by: .seconds(10 + seconds)))") == true)
        #expect(look(after: 600) == told)
        #expect(look(after: 610) == nil)
        #expect(look(after: 620) == nil)
    }

    @Test func aClockThatWasNotSetIsToldUntilItIs() {
        var watch = ClockWatch()
        let unset = Timestamp(milliseconds: 5_000)
        for second in [0, 10, 3_600] {
            let told = watch.look(unset.advanced(by: .seconds(second)), start + .seconds(second))
            #expect(told?.contains("1970-01-01T") == true && told?.contains("not been set") == true)
        }
        #expect(watch.look(time, start + .seconds(3_610))?.contains("from 1970-01-01T01:00:15") == true)
        #expect(watch.look(time.advanced(by: .seconds(600)), start + .seconds(4_210)) == nil)
    }
}
