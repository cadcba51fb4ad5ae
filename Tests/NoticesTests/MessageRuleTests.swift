import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// The table of messages: each waits for as long as its line says, and no longer. The documents name most of these times.
@Suite struct MessageRuleTests {
    /// A change of the facts about a gateway that is told after a time.
    struct Change: Sendable, CustomTestStringConvertible {
        let kind: Notice.Kind
        let milliseconds: Int
        var before: @Sendable (inout GatewayFacts) -> Void = { _ in }
        let change: @Sendable (inout GatewayFacts) -> Void

        var testDescription: String { kind.rawValue }
    }

    private static let changes = [
        Change(kind: .wayLost, milliseconds: 1_500, change: { $0.ways[.tailnet] = false }),
        Change(
            kind: .wayBack,
            milliseconds: 10_000,
            before: { $0.ways[.tailnet] = false },
            change: { $0.ways[.tailnet] = true }
        ),
        Change(kind: .notReady, milliseconds: 120_000, change: { $0.readiness = .draining }),
        Change(
            kind: .ready,
            milliseconds: 3_000,
            before: { $0.readiness = .draining },
            change: { $0.readiness = .ready }
        ),
        Change(kind: .approval, milliseconds: 2_000, change: { $0.approvals = approvals }),
        Change(kind: .moved, milliseconds: 5_000, change: { $0.troubles = [.moved] }),
        Change(
            kind: .accepted,
            milliseconds: 3_000,
            before: { $0.troubles = [.refused] },
            change: { ($0.troubles, $0.isAccepted) = ([], true) }
        ),
        Change(
            kind: .back,
            milliseconds: 3_000,
            before: { $0.presence = .gone },
            change: { $0.presence = .answering }
        ),
        Change(kind: .cutOff, milliseconds: 2_000, change: { $0.hasNetwork = false }),
        Change(
            kind: .reconnected,
            milliseconds: 2_000,
            before: { $0.hasNetwork = false },
            change: { $0.hasNetwork = true }
        ),
    ]

    private static let approvals = DeviceRequest(json: .object(["requestId": .string("r1")])).map { [$0] }

    private static func drive(_ before: (inout GatewayFacts) -> Void) -> RuleDrive {
        var drive = RuleDrive()
        drive.set("a", .answering) { facts in
            (facts.ways, facts.readiness) = ([.lanIPv4: true, .tailnet: true], .ready)
        }
        drive.wait(20)
        before(&drive.facts["a"]!)
        drive.wait(130)
        return drive
    }

    @Test(arguments: changes) func aMessageWaitsForItsTime(change: Change) {
        var drive = Self.drive(change.before)
        change.change(&drive.facts["a"]!)
        let (start, count) = (drive.time, drive.told.count)
        drive.take()
        while drive.told.count == count, drive.time < start.advanced(by: .seconds(200)) {
            drive.turn(by: .milliseconds(500))
            drive.take()
        }
        #expect(drive.notices.last?.kind == change.kind && drive.told.count == count + 1)
        #expect(drive.time.milliseconds - start.milliseconds == change.milliseconds)
    }

    /// Those that are gone are waited for no longer than 3 s: one that has just fallen silent does not keep back the others.
    @Test func aGroupIsWaitedForNotLong() {
        var drive = Self.drive { _ in }
        drive.set("b", .answering)
        drive.wait(5)
        drive.set("a", .silent)
        drive.wait(4)
        drive.set("b", .silent)
        drive.turn(by: .milliseconds(500))
        drive.set("a", .gone)
        drive.wait(2)
        #expect(drive.told.isEmpty)
        drive.wait(1)
        #expect(drive.told == ["gone a"])
    }

    /// A moment in which it is ready ends nothing in the history.
    @Test func aMomentOfReadinessIsNotRecorded() {
        var drive = Self.drive { $0.readiness = .draining }
        drive.set("a", .answering) { $0.readiness = .ready }
        drive.wait(8)
        drive.set("a", .answering) { $0.readiness = .draining }
        drive.wait(20)
        let ends = drive.actions.filter { if case .unreadyEnded = $0.0 { true } else { false } }
        #expect(drive.told == ["not-ready a", "ready a"] && ends.isEmpty)
    }

    /// The facts are asked for again as often as what is not told yet needs: rarely while it has to last for long, and often
    /// around the moment at which it may be told.
    @Test func whatIsNotToldYetIsLookedAtAgain() {
        var drive = Self.drive { _ in }
        drive.set("a", .answering) { $0.readiness = .draining }
        drive.wait(60)
        #expect(drive.rules.pace(at: drive.instant) == .later)
        drive.wait(55)
        #expect(drive.rules.pace(at: drive.instant) == .soon)
        drive.wait(15)
        #expect(drive.told == ["not-ready a"] && drive.rules.pace(at: drive.instant) == .rest)
        // A lost way of one that was not heard since.
        drive.unheard = ["a"]
        drive.set("a", .answering) { $0.ways[.tailnet] = false }
        drive.wait(4)
        #expect(drive.told.count == 1 && drive.rules.pace(at: drive.instant) == .soon)
    }

    /// News that wait because of a mute are looked at now and then, and not each second for hours.
    @Test func whatIsMutedIsLookedAtRarely() {
        var drive = Self.drive { _ in }
        drive.muted = ["a"]
        drive.set("a", .answering) { $0.readiness = .draining }
        drive.wait(140)
        #expect(drive.told.isEmpty && drive.rules.pace(at: drive.instant) == .later)
    }

    /// Devices that wait are no part of the history, and the reason why no network led to a gateway is none once one does.
    @Test func approvalsAreNotRecordedAndAReasonEnds() {
        var drive = Self.drive { $0.approvals = Self.approvals }
        drive.set("a", .answering) { ($0.hasNetwork, $0.networkTrouble) = (false, "its cable") }
        drive.wait(10)
        drive.set("a", .answering) { ($0.hasNetwork, $0.networkTrouble) = (true, nil) }
        drive.wait(10)
        #expect(drive.told == ["approval a", "cut-off a", "reconnected a"])
        #expect(drive.notices.map(\.reason) == [nil, "its cable", nil])
        #expect(!drive.actions.contains { if case .happened = $0.0 { true } else { false } })
    }

    /// Access that the user has back at once is not told of, and nothing waits for that.
    @Test func aRevocationThatIsOverIsNoNews() {
        var drive = Self.drive { _ in }
        let subject = Notice.Subject(key: "a", name: "a")
        drive.revoked = [Revocation(id: "p 1", subject, at: drive.time, isWhole: false)]
        drive.wait(1)
        drive.revoked = []
        drive.wait(10)
        #expect(drive.told.isEmpty && !drive.rules.hasNews(at: drive.moment))
    }
}
