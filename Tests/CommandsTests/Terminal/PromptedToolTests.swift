import Foundation
import Pairing
import Testing

@testable import Console

/// Questions at a terminal.
@Suite(.timeLimit(.minutes(1))) struct PromptedToolTests {
    /// Text that was typed before a question is discarded, and is no answer to it.
    @Test func whatWasTypedAheadIsNoAnswer() async throws {
        try await StoreOfTool.with([try Pairings.pairing("Home", id: "a")]) { store in
            let terminal = try PseudoTerminal([Tool.executable.path, "forget", "Home"], environment: store.environment)
            terminal.type("y\ry\ry\r")
            let shown = try await terminal.wait(for: "[y/N] ")
            #expect(shown.contains("  gateway “Home” (aaaaaaaa)\r\n"))
            // The time in which an answer would not count is over; nothing else tells that it is.
            try await Task.sleep(for: AnswerHaste.readingTime + .milliseconds(50))
            terminal.type("n\r")
            let (status, rest) = await terminal.end()
            #expect(status == 130, "\(rest)")
            #expect(rest.contains("nothing was changed"))
            #expect(try store.open().pairings().count == 1)
        }
    }
}
