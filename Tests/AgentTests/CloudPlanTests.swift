import Testing

@testable import Agent

/// When the cloud is asked: at once for what changes here, seldom for the rest, and ever more seldom while it fails.
@Suite struct CloudPlanTests {
    private let start = ContinuousClock.now

    /// After ten minutes without a change, once an hour and no more.
    @Test func anIdleDeviceAsksOnceAnHour() {
        var plan = CloudPlan()
        #expect(plan.reads(now: start))
        plan.succeed(hasRead: true, hasChanged: false, now: start)
        #expect(!plan.reads(now: start + .seconds(19)) && plan.reads(now: start + .seconds(20)))
        let later = start + CloudPlan.lively
        plan.succeed(hasRead: true, hasChanged: false, now: later)
        #expect(plan.wait(now: later).atMost == .seconds(3_600))
        #expect(!plan.reads(now: later + .seconds(3_599)) && plan.reads(now: later + .seconds(3_600)))
        // What is only looked at here does not move that.
        plan.succeed(hasRead: false, hasChanged: false, now: later + .seconds(60))
        #expect(plan.reads(now: later + .seconds(3_600)))
    }

    /// A change is followed by others: the next ten minutes arrive within half a minute.
    @Test func aChangeMakesItLively() {
        var plan = CloudPlan()
        let later = start + .seconds(10_000)
        plan.succeed(hasRead: true, hasChanged: false, now: start)
        plan.succeed(hasRead: false, hasChanged: true, now: later)
        #expect(plan.wait(now: later).atMost == .seconds(20))
    }

    @Test func failuresAreSeldom() {
        var plan = CloudPlan()
        var pauses: [Duration] = []
        for _ in 0..<11 {
            plan.fail(asked: nil, now: start)
            pauses.append(plan.wait(now: start).atLeast)
        }
        #expect(pauses.prefix(4) == [.seconds(1), .seconds(2), .seconds(4), .seconds(8)])
        #expect(pauses.last == .seconds(300))
        plan.fail(asked: .seconds(900), now: start)
        #expect(plan.wait(now: start).atLeast == .seconds(900))
        plan.succeed(hasRead: true, hasChanged: false, now: start)
        #expect(plan.wait(now: start).atLeast == CloudPlan.settling)
    }
}
