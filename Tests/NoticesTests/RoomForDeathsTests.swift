import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// The room for what matters most: that one of the user's own gateways is gone, or back, is told whatever was told before.
@Suite struct RoomForDeathsTests {
    private static func drive(_ policy: NoticePolicy = NoticePolicy()) -> RuleDrive {
        var drive = RuleDrive(policy)
        drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: true] }
        drive.wait(20)
        return drive
    }

    /// Lets a gateway die, and expects that this is told within ten seconds of its last answer, and its return.
    private static func expectDeath(_ drive: inout RuleDrive, _ isTold: (RuleDrive) -> Bool) {
        drive.kill("a")
        drive.wait(5)
        #expect(isTold(drive), "\(drive.told)")
        drive.wait(600)
        drive.set("a", .answering)
        drive.wait(5)
        #expect(drive.told.last == "back a", "\(drive.told)")
        #expect(drive.outages.last?.seconds == 610)
    }

    /// Restarts far enough apart to be told one by one, which use up what is allowed in an hour.
    @Test func restartsLeaveRoomForADeath() {
        var policy = NoticePolicy()
        policy.mostPerGateway = 3
        policy.most = 4
        var drive = Self.drive(policy)
        for _ in 0..<4 {
            drive.kill("a")
            drive.wait(3)
            drive.set("a", .answering)
            drive.wait(310)
        }
        Self.expectDeath(&drive) { $0.told.last == "gone a" && $0.told.count == 9 }
    }

    /// Short restarts one after the other are one message. The death that follows is longer than they were.
    @Test(arguments: [1, 3, 20]) func aDeathAfterShortRestartsIsTold(count: Int) {
        var drive = Self.drive()
        for _ in 0..<count {
            drive.kill("a")
            drive.set("a", .answering)
            drive.wait(20)
        }
        Self.expectDeath(&drive) { drive in
            count == 1
                ? drive.told.last == "settled a" && drive.told.contains("unsteady a")
                : drive.told == ["gone a", "back a", "unsteady a", "settled a"]
        }
    }

    /// The agent starts again between them.
    @Test func aDeathAfterShortRestartsIsToldByTheNextAgent() {
        var drive = Self.drive()
        for _ in 0..<3 {
            drive.kill("a")
            drive.set("a", .answering)
            drive.wait(20)
        }
        drive.restart()
        drive.set("a", .answering)
        drive.wait(20)
        Self.expectDeath(&drive) { $0.told.last == "settled a" }
    }

    /// One whose outages are ever longer is not told of each time.
    @Test func longerAndLongerOutagesAreFewMessages() {
        var drive = Self.drive()
        for seconds in stride(from: 5, to: 60, by: 2) {
            drive.set("a", .silent)
            drive.wait(seconds)
            drive.set("a", .gone)
            drive.wait(1)
            drive.set("a", .answering)
            drive.wait(20)
        }
        #expect(drive.told.count < 24, "\(drive.told)")
    }

    @Test func waysThatComeAndGoLeaveRoomForADeath() {
        var policy = NoticePolicy()
        policy.mostPerGateway = 2
        var drive = Self.drive(policy)
        for isThere in [false, true, false] {
            drive.set("a", .answering) { $0.ways = [.lanIPv4: true, .tailnet: isThere] }
            drive.wait(70)
        }
        #expect(drive.told == ["way-lost a", "way-back a"])
        #expect(drive.rules.held(besides: [], at: drive.moment)?.names == ["a"])
        Self.expectDeath(&drive) { $0.told.last == "gone a" }
    }

    /// A way that only a record has brought comes and goes as its sender likes.
    @Test func aWayThatARecordBringsIsToldOfOnce() {
        var drive = RuleDrive()
        for isThere in [true, false, true, false, true, false] {
            drive.set("a", .answering) {
                $0.ways = [.lanIPv4: true, .tailnet: isThere]
                $0.claimedWays = [.tailnet]
            }
            drive.wait(400)
        }
        #expect(drive.told == ["way-lost a", "way-back a"])
        #expect(drive.rules.pace(at: drive.instant) == .rest)
    }

    /// 480 gateways that somebody makes up appear and die, where all are watched.
    @Test func manyOthersLeaveRoomForADeath() {
        var policy = NoticePolicy()
        policy.most = 10
        var drive = Self.drive(policy)
        for wave in 0..<8 {
            let keys = (0..<60).map { "x\(wave)-\($0)" }
            for key in keys {
                drive.facts[key] = GatewayFacts(Notice.Subject(key: key, name: key), .answering, isOwn: false)
            }
            drive.wait(2)
            for key in keys { drive.facts[key]?.presence = .silent }
            drive.wait(5)
            for key in keys { drive.facts[key]?.presence = .gone }
        }
        drive.wait(1)
        #expect(drive.told.count == 5, "\(drive.told.count)")
        let held = drive.rules.held(besides: [], at: drive.moment)
        #expect(held?.names == [] && held?.hasOthers == true)
        drive.set("a", .answering) { $0.troubles = [.refused] }
        drive.wait(6)
        #expect(drive.told.last == "refused a")
        drive.kill("a")
        drive.wait(5)
        #expect(drive.told.last == "gone a")
        drive.set("a", .answering)
        drive.wait(4)
        #expect(drive.told.last == "back a")
    }

    /// Of two others that go away together, the one about which enough was told does not keep back the other.
    @Test func oneWithoutRoomKeepsBackNoOther() {
        var policy = NoticePolicy()
        policy.mostPerGateway = 1
        var drive = RuleDrive(policy)
        for key in ["x", "y"] { drive.set(key, .answering) { $0.isOwn = false } }
        drive.set("x", .answering) { $0.troubles = [.moved] }
        drive.wait(10)
        drive.kill("x", "y")
        drive.wait(5)
        #expect(drive.told == ["moved x", "gone y"])
    }

    /// Others that are about to follow, or to be back, are not waited for.
    @Test func othersAreNotWaitedFor() {
        var drive = Self.drive()
        drive.set("x", .answering) { $0.isOwn = false }
        drive.wait(5)
        drive.set("x", .silent)
        drive.set("a", .silent)
        drive.wait(5)
        drive.set("a", .gone)
        #expect(drive.told == ["gone a"])
    }

    /// Gateways of the user's own that keep coming back one after the other do not keep back a return for long.
    @Test func aReturnWaitsForOthersForAWhile() {
        var drive = Self.drive()
        let keys = (0..<12).map { "b\($0)" }
        for key in keys { drive.set(key, .answering) }
        drive.wait(20)
        drive.set("a", .silent)
        for key in keys { drive.set(key, .silent) }
        drive.wait(5)
        drive.set("a", .gone)
        for key in keys { drive.set(key, .gone) }
        drive.wait(10)
        drive.set("a", .answering)
        for key in keys {
            drive.wait(1)
            drive.set(key, .answering)
        }
        #expect(drive.told.contains { $0.hasPrefix("back a") }, "\(drive.told)")
    }

    /// What is held back is said, with the time until which it is.
    @Test func whatIsHeldBackIsSaid() throws {
        var policy = NoticePolicy()
        policy.mostPerGateway = 1
        var drive = Self.drive(policy)
        #expect(drive.rules.held(besides: [], at: drive.moment) == nil)
        drive.set("a", .answering) { $0.troubles = [.refused, .moved] }
        drive.wait(10)
        #expect(drive.told == ["moved a"])
        let held = try #require(drive.rules.held(besides: [], at: drive.moment))
        #expect(held.names == ["a"] && !held.hasOthers)
        #expect(held.until.milliseconds - drive.time.milliseconds > 3_580_000)
        #expect(held.text(in: .utc).contains("those about a wait, the first until 13:00"), "\(held.text(in: .utc))")
        #expect(drive.rules.held(besides: ["a"], at: drive.moment) == nil)
        drive.pass(3_700)
        #expect(drive.rules.held(besides: [], at: drive.moment) == nil && drive.told == ["moved a", "refused a"])
    }

    /// That one of the user's own goes away and comes back uses up nothing of what is allowed about it.
    @Test func aDeathLeavesRoomForOtherNews() {
        var policy = NoticePolicy()
        policy.mostPerGateway = 1
        var drive = Self.drive(policy)
        drive.kill("a")
        drive.wait(5)
        drive.set("a", .answering)
        drive.wait(10)
        drive.set("a", .answering) { $0.troubles = [.refused] }
        drive.wait(10)
        #expect(drive.told == ["gone a", "back a", "refused a"])
    }

    /// Devices that wait for an approval have limits of their own, by which it is said until when the message about one waits.
    @Test(arguments: [(1, 30), (6, 3)]) func aHeldApprovalIsSaid(perGateway: Int, inAll: Int) throws {
        var policy = NoticePolicy()
        (policy.mostPerGateway, policy.most) = (perGateway, inAll)
        var drive = Self.drive(policy)
        for id in ["r1", "r2"] {
            let request = try #require(DeviceRequest(json: .object(["requestId": .string(id)])))
            drive.set("a", .answering) { $0.approvals = ($0.approvals ?? []) + [request] }
            drive.wait(60)
        }
        #expect(drive.told == ["approval a"])
        let held = try #require(drive.rules.held(besides: [], at: drive.moment))
        #expect(held.names == ["a"])
        #expect((3_450_000...3_600_000).contains(held.until.milliseconds - drive.time.milliseconds))
    }

    /// What answers in place of one that is gone, or says that it is it, is told after that.
    @Test(arguments: [Trouble.moved, .replaced]) func theDeathIsToldFirst(trouble: Trouble) {
        var drive = Self.drive()
        drive.set("a", .silent) { $0.troubles = [trouble] }
        drive.wait(6)
        #expect(drive.told.isEmpty)
        drive.set("a", .gone)
        drive.wait(1)
        #expect(drive.told == ["gone a", "\(trouble.rawValue) a"])
    }

    /// Whoever answers in a gateway's place for a moment, until that is known, ends no outage.
    @Test func anAnswerOfAMomentEndsNothing() {
        var drive = Self.drive()
        drive.kill("a")
        drive.wait(60)
        drive.set("a", .answering)
        drive.turn(by: .milliseconds(500))
        drive.set("a", .gone)
        drive.wait(60)
        #expect(drive.told == ["gone a"] && drive.outages.map(\.seconds) == [nil])
    }
}
