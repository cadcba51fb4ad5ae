import DNSSD
import Testing

@testable import Avahi

@Suite struct ConnectionStateMachineTests {
    private var machine = ConnectionStateMachine()
    private let start = ContinuousClock.now
    private let error = BackendError(.noMessageBus, "no bus")

    @Test mutating func opensOnceForAllSessions() {
        #expect(machine.start() == [.open])
        #expect(machine.start() == [])
    }

    @Test mutating func tellsEachConditionOnce() {
        _ = machine.start()
        #expect(machine.changed(to: .absent, now: start) == [.report(.unavailable(.noDaemon))])
        #expect(machine.changed(to: .absent, now: start) == [])
        #expect(machine.changed(to: .unsettled, now: start) == [.report(.up(isSettled: false))])
        #expect(machine.changed(to: .running, now: start) == [.report(.up(isSettled: true))])
        #expect(machine.changed(to: .running, now: start) == [])
        #expect(machine.deadline == nil)
    }

    @Test mutating func tryingAgainTakesLongerAndLongerWithinBounds() {
        _ = machine.start()
        var now = start
        var waits: [Duration] = []
        for round in 0..<20 {
            let actions = machine.failed(error, now: now)
            #expect(actions == (round == 0 ? [.close, .report(.unavailable(error))] : [.close]))
            guard let deadline = machine.deadline else {
                Issue.record("no deadline")
                return
            }
            // The connection is not opened before the deadline, nor twice.
            #expect(machine.tick(now: deadline - .nanoseconds(1)) == [])
            #expect(machine.failed(error, now: now) == [])
            #expect(machine.tick(now: deadline) == [.open])
            #expect(machine.tick(now: deadline) == [])
            waits.append(deadline - now)
            now = deadline
        }
        #expect(waits.first == .milliseconds(100))
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(waits.last == ConnectionStateMachine.longestBackoff)
    }

    /// A daemon that dies shortly after it has started is tried at growing intervals, so that it is not overloaded.
    @Test mutating func aDaemonThatDiesAtOnceIsTriedMoreAndMoreSeldom() {
        _ = machine.start()
        var now = start
        for _ in 0..<10 {
            _ = machine.changed(to: .running, now: now)
            _ = machine.changed(to: .failed, now: now + .seconds(1))
            now = machine.deadline ?? now
            #expect(machine.tick(now: now) == [.open])
        }
        _ = machine.changed(to: .failed, now: now)
        #expect(machine.deadline == now + ConnectionStateMachine.longestBackoff)
    }

    @Test mutating func afterASteadyTimeItIsTriedAtOnceAgain() {
        _ = machine.start()
        var now = start
        for _ in 0..<8 {
            _ = machine.failed(error, now: now)
            now = machine.deadline ?? now
            _ = machine.tick(now: now)
        }
        _ = machine.changed(to: .unsettled, now: now)
        _ = machine.changed(to: .running, now: now + .seconds(1))
        now += .seconds(10)
        #expect(machine.changed(to: .failed, now: now) == [.close, .report(.unavailable(.noDaemon))])
        #expect(machine.deadline == now + .milliseconds(100))
    }

    @Test mutating func stopForgetsEverything() {
        #expect(machine.stop() == [])
        _ = machine.start()
        _ = machine.failed(error, now: start)
        #expect(machine.stop() == [.close])
        #expect(machine.deadline == nil)
        #expect(machine.condition == .starting)
        #expect(machine.changed(to: .running, now: start) == [])
        #expect(machine.failed(error, now: start) == [])
        #expect(machine.tick(now: start + .seconds(9)) == [])
        #expect(machine.start() == [.open])
    }
}
