import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// The messages of one run of the agent, as the next one knows them: an agent that is started again and again must not
/// send more of them.
@Suite struct RestartedLimitTests {
    private static func drive(_ keys: String..., policy: NoticePolicy) -> RuleDrive {
        var drive = RuleDrive(policy)
        for key in keys { drive.set(key, .answering) }
        drive.wait(20)
        return drive
    }

    @Test func aGatewayHasItsLimitOverRestarts() {
        var policy = NoticePolicy()
        policy.mostPerGateway = 3
        var drive = Self.drive("a", policy: policy)
        for _ in 0..<4 {
            drive.set("a", .answering) { $0.troubles = [.moved, .refused, .uncertified, .changedCertificate] }
            drive.wait(10)
            drive.restart(policy)
            drive.set("a", .answering)
            drive.wait(20)
        }
        #expect(drive.told.count == 3)
        drive.pass(3_600)
        #expect(drive.told.count == 4)
    }

    @Test func allHaveTheirLimitOverRestarts() {
        var policy = NoticePolicy()
        policy.most = 2
        var drive = Self.drive("a", "b", "c", "d", policy: policy)
        for key in ["a", "b", "c", "d"] {
            drive.set(key, .answering) { $0.troubles = [.moved] }
            drive.wait(10)
            drive.restart(policy)
            for key in ["a", "b", "c", "d"] { drive.set(key, .answering) }
            drive.wait(20)
        }
        #expect(drive.told == ["moved a", "moved b"])
    }

    /// A gateway that goes away again soon after its return has the same trouble as before, whatever the agent did in
    /// between.
    @Test func aRestartDoesNotHideThatOneFlaps() {
        var drive = Self.drive("a", policy: NoticePolicy())
        drive.kill("a")
        drive.wait(10)
        drive.set("a", .answering)
        drive.wait(10)
        #expect(drive.told == ["gone a", "back a"])
        drive.restart()
        drive.set("a", .answering)
        drive.wait(20)
        drive.kill("a")
        drive.wait(10)
        #expect(drive.told == ["gone a", "back a", "unsteady a"])
    }

    @Test func aRestartDoesNotHideThatAWayFlaps() {
        var drive = Self.drive("a", policy: NoticePolicy())
        func set(_ isThere: Bool, _ seconds: Int) {
            drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: isThere] }
            drive.wait(seconds)
        }
        set(true, 5)
        set(false, 30)
        set(true, 30)
        #expect(drive.told == ["way-lost a", "way-back a"])
        drive.restart()
        set(true, 20)
        set(false, 30)
        #expect(drive.told == ["way-lost a", "way-back a"])
        drive.wait(60)
        #expect(drive.told == ["way-lost a", "way-back a", "way-lost a"])
    }

    /// A clock that was set back makes messages of the future, which must not count for days.
    @Test func aMessageOfTheFutureCountsAsNew() {
        let moment = Moment(instant: .now, time: Timestamp("2026-11-26T12:00:00.000Z")!, minuteOfDay: 0)
        let limit = HourlyLimit([moment.time.advanced(by: .seconds(90_000))], at: moment)
        let isAllowed = [3_599, 3_600].map { limit.allows(most: 1, at: moment.instant + .seconds($0)) }
        #expect(isAllowed == [false, true])
    }

    /// Messages that nothing holds back are counted as well, and remembered for no longer than they count.
    @Test func onlyTheMessagesOfAnHourAreRemembered() {
        let start = Timestamp("2026-11-26T12:00:00.000Z")!
        let instant = ContinuousClock.now
        var limits = MessageLimits(NoticeLimits(), at: Moment(instant: instant, time: start, minuteOfDay: 0))
        for hours in 0..<3 {
            let passed = Duration.seconds(hours * 3_600)
            let moment = Moment(instant: instant + passed, time: start.advanced(by: passed), minuteOfDay: 0)
            limits.count(MessageLimits.Message(kind: .gone, keys: ["a"]), at: moment)
        }
        #expect(limits.times(.all) == [start.advanced(by: .seconds(7_200))])
    }

    @Test func messagesAboutThisHostAreLimitedOverRestarts() {
        var policy = NoticePolicy()
        policy.mostPerGateway = 1
        var drive = Self.drive("a", policy: policy)
        for _ in 0..<3 {
            drive.set("a", .answering)
            drive.wait(20)
            drive.sleep(.seconds(120))
            drive.take()
            drive.restart(policy)
        }
        #expect(drive.told == ["asleep"])
    }
}
