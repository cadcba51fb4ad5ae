import GatewayProtocol
import Testing

@testable import Pairing

/// The note of a session's holder, as other processes read it.
@Suite struct SessionNoteTests {
    private static let refusal = NotedRefusal(
        SessionRefusal(
            dialect: .openClaw,
            reason: .scopeUpgrade,
            credential: .deviceToken,
            requestID: "5b0e-1",
            expectedProtocol: 5,
            operatorTool: .clawdbot
        ),
        since: 3,
        until: 9
    )

    private static func read(_ note: SessionNote) -> SessionNote? {
        SessionNote(lines: note.lines.split(separator: "\n"))
    }

    @Test(arguments: [
        SessionNote(state: "connected", since: 1, path: "10.0.0.1:1"),
        SessionNote(state: "moved", since: 2, reason: "refusal of another kind"),
        SessionNote(state: "waiting", since: 3, refusal: refusal),
        SessionNote(state: "waiting", since: 3, reason: "it waits", refusal: refusal),
        SessionNote(
            state: "refused",
            since: 4,
            reason: "no",
            refusal: NotedRefusal(
                SessionRefusal(dialect: .optaplus, reason: .rateLimited, credential: .deviceToken),
                since: 1
            )
        ),
    ])
    func aNoteIsReadAsItWasWritten(_ note: SessionNote) { #expect(Self.read(note) == note) }

    /// A reason is one line, whatever is in it: a line feed hidden in another character neither ends it nor hides the line
    /// after it.
    @Test(arguments: ["a\r\nb", "a\r", "a\n\u{301}b", "\r\n", "a\r\n"])
    func aReasonIsOneLine(reason: String) {
        let note = SessionNote(state: "waiting", since: 3, reason: reason, refusal: Self.refusal)
        #expect(note.lines.utf8.count { $0 == 0x0A } == 3 && !note.lines.utf8.contains(0x0D))
        #expect(Self.read(note)?.refusal == Self.refusal)
    }

    @Test func aRefusalGivesTheCommandThatApproves() {
        let refusal = Self.refusal.refusal(of: .openClaw)
        #expect(refusal.approvingCommand == "clawdbot devices approve 5b0e-1" && refusal.expectedProtocol == 5)
    }

    /// A line that this version does not know is no refusal, and what cannot be typed is no request.
    @Test(arguments: [
        "", "refusal", "refusal unknown openClaw 1 - - -", "refusal starting nothing 1 - - -",
        "refusal starting openClaw x - - -", "refusal starting openClaw 1 - - - -", "refused starting openClaw 1 - - -",
    ])
    func otherLinesAreNone(_ line: String) { #expect(NotedRefusal(line: line[...]) == nil) }

    @Test func anIdentifierThatCannotBeTypedIsLeftOut() {
        #expect(NotedRefusal(line: "refusal starting openClaw 1 - - $(x)")?.requestID == nil)
        #expect(NotedRefusal(line: "refusal starting openClaw 1 - - a.b")?.requestID == "a.b")
    }

    @Test func theLongestNoteFits() {
        let long = String(repeating: "x", count: 500)
        let refusal = NotedRefusal(
            SessionRefusal(
                dialect: .openClaw,
                reason: .pairingTokenInvalid,
                credential: .deviceToken,
                requestID: String(repeating: "a", count: 128),
                expectedProtocol: .max
            ),
            since: .max,
            until: .max
        )
        let note = SessionNote(state: "changed-certificate", since: .max, path: long, reason: long, refusal: refusal)
        // The first line names the holder: a number and at most 200 bytes.
        #expect(note.lines.utf8.count + 220 <= 1_024)
        #expect(Self.read(note)?.refusal == refusal)
    }
}
