import Reports
import Testing

@testable import Agent

/// The messages about access that gateways have revoked: a pairing of which nothing is left is watched no more, and
/// that is the very thing to tell.
@Suite struct RevocationNoticeTests {
    private var drive = RuleDrive()

    init() {
        drive.set("home", .answering)
        drive.wait(20)
    }

    private mutating func revoke(_ key: String = "home", _ id: String, isWhole: Bool = true) {
        drive.revoked.append(Revocation(id: id, Notice.Subject(key: key, name: key), at: drive.time, isWhole: isWhole))
        if isWhole { drive.drop(key) } else { drive.take() }
    }

    @Test mutating func theEndOfAPairingIsToldOnce() throws {
        let time = drive.time
        revoke("home", "p 1")
        drive.wait(600)
        #expect(drive.told == ["revoked home"])
        let notice = try #require(drive.notices.first)
        #expect(notice.since == time && notice.reason == Trouble.revoked.meaning)
        drive.restart()
        drive.wait(600)
        #expect(drive.told == ["revoked home"])
    }

    /// It is paired anew, and the user ends that: what was revoked before is in the bin again, and was told.
    @Test mutating func whatIsFoundAgainIsNotToldAgain() {
        revoke("home", "p 1")
        drive.wait(60)
        let revoked = drive.revoked
        drive.revoked = []
        drive.wait(600)
        drive.revoked = revoked
        drive.wait(600)
        #expect(drive.told == ["revoked home"])
        let happened = drive.actions.filter { if case .happened(_, .revoked, _, _) = $0.0 { true } else { false } }
        #expect(happened.count == 1)
    }

    /// Its session is one of several: the gateway stays watched.
    @Test mutating func theEndOfOneOfSeveralCredentialsIsTold() throws {
        revoke("home", "p/c 1", isWhole: false)
        drive.wait(60)
        #expect(drive.told == ["revoked home"])
        #expect(try #require(drive.notices.first).reason?.contains("other access to it is left") == true)
        #expect(drive.outages.isEmpty)
    }

    @Test mutating func whatEndsAtTheSameMomentIsOneMessage() {
        revoke("home", "p/c 1", isWhole: false)
        drive.wait(1)
        revoke("home", "p/d 2", isWhole: false)
        drive.wait(60)
        drive.restart()
        drive.set("home", .answering)
        drive.wait(60)
        #expect(drive.told == ["revoked home"])
    }

    /// The last credential ends with the pairing, which then is what is revoked.
    @Test mutating func oneAfterTheOtherIsOneMessage() {
        revoke("home", "p/c 1", isWhole: false)
        drive.revoked = []
        revoke("home", "p 2")
        drive.wait(60)
        #expect(drive.told == ["revoked home"])
    }

    /// A pairing that was restored and is revoked again is news.
    @Test mutating func anotherRevocationIsToldAgain() {
        revoke("home", "p 1")
        drive.wait(10)
        drive.revoked = []
        drive.set("home", .answering)
        drive.wait(10)
        revoke("home", "p 2")
        drive.wait(10)
        #expect(drive.told == ["revoked home", "revoked home"])
    }

    /// A revocation that a session has reported for long, because the store took its time, is not told again when the
    /// store has it.
    @Test mutating func whatTheSessionSaysIsNotToldTwice() {
        drive.set("home", .answering) { $0.troubles = [.revoked] }
        drive.wait(10)
        revoke("home", "p 1")
        drive.wait(10)
        drive.restart()
        drive.wait(10)
        #expect(drive.told == ["revoked home"])
    }

    @Test mutating func itIsToldAfterAMuteAndQuietHours() {
        drive.muted = ["home"]
        revoke("home", "p 1")
        drive.wait(60)
        #expect(drive.told.isEmpty && drive.rules.hasNews(at: drive.moment))
        drive.muted = []
        drive.wait(10)
        #expect(drive.told == ["revoked home"])
    }

    /// Revocations that were in the bin before, also those of an earlier version, are not told in one great heap.
    @Test mutating func whatIsOldIsNotTold() {
        drive.revoked = [
            Revocation(
                id: "old 1",
                Notice.Subject(key: "old", name: "old"),
                at: drive.time.advanced(by: .seconds(-86_401)),
                isWhole: true
            )
        ]
        drive.wait(60)
        #expect(drive.told.isEmpty)
    }

    /// One that ends and begins again and again has the limit of its messages.
    @Test mutating func aGatewayCannotFlood() {
        for number in 0..<20 {
            revoke("home", "p/c \(number)", isWhole: false)
            drive.wait(30)
        }
        #expect(drive.told.count == NoticePolicy().mostPerGateway)
    }

    @Test mutating func itIsGivenSoonAgainWhileItWaits() {
        drive.facts = [:]
        revoke("home", "p 1")
        #expect(drive.rules.pace(at: drive.instant) == .soon)
        drive.wait(10)
        #expect(drive.told == ["revoked home"])
    }
}
