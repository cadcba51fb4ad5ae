import GatewayProtocol
import Reports
import Testing

@testable import Agent

/// The message that a gateway accepts this device again: whoever was told of a refusal is told that it is over.
@Suite struct AcceptanceNoticeTests {
    private var drive = RuleDrive()

    init() {
        drive.set("a", .answering) { $0.isAccepted = true }
        drive.wait(20)
    }

    private mutating func refuse(_ seconds: Int = 10) {
        drive.set("a", .answering) {
            $0.troubles = [.refused]
            $0.isAccepted = false
        }
        drive.wait(seconds)
    }

    private mutating func accept(_ seconds: Int = 10) {
        drive.set("a", .answering) {
            $0.troubles = []
            $0.isAccepted = true
        }
        drive.wait(seconds)
    }

    /// The refusals and acceptances in the history.
    private var happened: [Notice.Kind] {
        drive.actions.compactMap { if case .happened(_, let kind, _, _) = $0.0 { kind } else { nil } }
    }

    /// Whoever gets the message is not at this device: it says why, and what to type at the gateway, to which nothing is added.
    @Test mutating func aRefusalIsToldWithItsReason() throws {
        let advice = "Approve it on the gateway's host: openclaw devices approve 7"
        drive.set("a", .answering) { $0.refusal = "expected an approved device, found \u{202E}none. \(advice)" }
        refuse()
        let notice = try #require(drive.notices.first)
        let sentence = "Expected an approved device, found \u{FFFD}none. \(advice)"
        #expect(notice.kind == .refused && notice.text == sentence)
        #expect(NoticeReport(notice, id: "1").fields["reason"] == .string(sentence))
    }

    /// The words of a gateway are cut, so that a message fits into every sink.
    @Test mutating func aRefusalIsCut() throws {
        drive.set("a", .answering) { $0.refusal = String(repeating: "e\u{301}\u{302}", count: 5_000) }
        refuse()
        #expect(try #require(drive.notices.first).text.utf8.count <= 1_024)
    }

    /// A lock-out is waited for, and then somebody has to approve: that is told too, each reason once, whatever the gateway
    /// says in turn, also by the next run of the agent. The history has one refusal.
    @Test mutating func aRefusalForAnotherReasonIsToldOnce() {
        func refuse(_ drive: inout RuleDrive, _ reason: SessionRefusal.Reason) {
            drive.set("a", .answering) {
                $0.troubles = [.refused]
                $0.isAccepted = false
                $0.refusalReason = reason
                $0.refusal = "so: \(reason)"
            }
            drive.wait(10)
        }
        refuse(&drive, .rateLimited)
        refuse(&drive, .rateLimited)
        #expect(drive.told == ["refused a"])
        refuse(&drive, .notApproved)
        #expect(drive.told == ["refused a", "refused a"] && drive.notices.last?.text.contains("notApproved") == true)
        drive.restart()
        for reason in [SessionRefusal.Reason.rateLimited, .notApproved, .rateLimited] { refuse(&drive, reason) }
        #expect(drive.told.count == 2 && happened == [.refused])
        accept()
        refuse(&drive, .notApproved)
        #expect(drive.told == ["refused a", "refused a", "accepted a", "refused a"])
    }

    @Test mutating func itIsToldOnceForEachRefusalThatWasTold() {
        refuse()
        accept(400)
        #expect(drive.told == ["refused a", "accepted a"] && happened == [.refused, .accepted])
        refuse()
        accept()
        #expect(drive.told == ["refused a", "accepted a", "refused a", "accepted a"])
        #expect(drive.notices.last?.title == "a accepts this device again")
    }

    /// The agent looks at the time: nothing else happens that would have the rules decide.
    @Test mutating func theRulesWantToDecideSoon() {
        refuse()
        accept(0)
        drive.rest(6)
        #expect(drive.told == ["refused a", "accepted a"])
    }

    /// One that was refused again meanwhile, or for a moment only, has told the user nothing that is over.
    @Test mutating func whatWasNotToldIsNotOver() {
        refuse(3)
        accept(30)
        #expect(drive.told.isEmpty && happened.isEmpty)
        refuse()
        accept(1)
        refuse()
        #expect(drive.told == ["refused a"])
    }

    /// That it does not refuse now is no acceptance: nobody may have asked it.
    @Test mutating func aRefusalThatEndsWithoutASessionIsNotOver() {
        refuse()
        drive.set("a", .answering) { $0.troubles = [] }
        drive.wait(400)
        #expect(drive.told == ["refused a"])
        accept()
        #expect(drive.told == ["refused a", "accepted a"] && happened == [.refused, .accepted])
    }

    /// After an outage, one message says both.
    @Test mutating func oneThatIsBackAndAcceptsIsToldInOneMessage() {
        refuse()
        drive.kill("a")
        drive.wait(10)
        accept(30)
        #expect(drive.told == ["refused a", "gone a", "back a"] && happened == [.refused, .accepted])
        #expect(drive.notices.last?.reason == "it accepts this device again")
        refuse()
        #expect(drive.told.last == "refused a")
    }

    /// It is asked for a session some time after it is back.
    @Test mutating func oneThatIsBackAndAcceptsLaterIsToldThen() {
        refuse()
        drive.kill("a")
        drive.wait(10)
        drive.set("a", .answering) { $0.troubles = [] }
        drive.wait(20)
        accept()
        #expect(drive.told == ["refused a", "gone a", "back a", "accepted a"])
        #expect(drive.notices[2].reason == nil)
    }

    /// The message that several are back says nothing of acceptance, which comes after it and never before.
    @Test mutating func oneThatIsBackWithOthersIsToldFirst() {
        drive.set("b", .answering)
        refuse()
        drive.kill("a", "b")
        drive.wait(10)
        accept(2)
        drive.set("b", .answering)
        drive.wait(20)
        #expect(drive.told == ["refused a", "gone a,b", "back a,b", "accepted a"])
    }

    @Test mutating func theNextRunOfTheAgentTellsIt() {
        refuse()
        drive.restart()
        accept(30)
        #expect(drive.told == ["refused a", "accepted a"] && happened == [.refused, .accepted])
        drive.restart()
        accept(30)
        #expect(drive.told.count == 2)
    }

    /// While nothing of it is to be told, the history has it, and it is told afterwards.
    @Test mutating func aMuteDelaysIt() {
        refuse()
        drive.muted = ["a"]
        accept()
        #expect(drive.told == ["refused a"] && happened == [.refused, .accepted])
        drive.muted = []
        drive.wait(2)
        #expect(drive.told == ["refused a", "accepted a"])
    }
}
