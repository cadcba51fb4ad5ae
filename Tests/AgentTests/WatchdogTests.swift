import Synchronization
import TestSupport
import Testing

@testable import Agent

@Suite(.timeLimit(.minutes(1))) struct WatchdogTests {
    @Test func aPartThatIsStuckIsFoundAfterTheTime() {
        let start = ContinuousClock.now
        var pulse = Pulse(of: ["map", "scanner"], now: start)
        #expect(pulse.stuck(for: .seconds(5), now: start + .seconds(5)).isEmpty)
        pulse.beat(of: "map", now: start + .seconds(3))
        #expect(pulse.stuck(for: .seconds(5), now: start + .seconds(6)) == ["scanner"])
        #expect(pulse.stuck(for: .seconds(5), now: start + .seconds(9)) == ["map", "scanner"])
    }

    @Test func theServiceManagerHearsNothingMoreOnceAPartIsStuck() async {
        let clock = TurnedClock()
        let isStuck = Atomic(false)
        let told = Atomic(0)
        let subject = Watchdog.Subject(name: "scanner") {
            guard isStuck.load(ordering: .relaxed) else { return }
            try? await Task.sleep(for: .seconds(3_600))
        }
        let watchdog = Watchdog([subject], interval: .seconds(20), clock: clock) {
            told.add(1, ordering: .relaxed)
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await watchdog.run() }
            /// Advances the clock as often as the watchdog and its subject look at it.
            func turn(_ times: Int, sleepers: Int) async {
                for _ in 0..<times {
                    while clock.sleepers < sleepers { await Task.yield() }
                    clock.turn(by: .seconds(5))
                }
            }
            await turn(8, sleepers: 2)
            while clock.sleepers < 2 { await Task.yield() }
            let before = told.load(ordering: .relaxed)
            #expect(before >= 4)
            isStuck.store(true, ordering: .relaxed)
            // The subject sleeps no more by the clock once it is stuck.
            await turn(1, sleepers: 2)
            await turn(4, sleepers: 1)
            let stuck = told.load(ordering: .relaxed)
            await turn(8, sleepers: 1)
            #expect(told.load(ordering: .relaxed) == stuck)
            group.cancelAll()
        }
    }
}
