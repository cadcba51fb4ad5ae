import Foundation
import Pairing
import Testing

/// Questions at a terminal.
@Suite(.timeLimit(.minutes(1))) struct PromptedToolTests {
    /// Text that was typed before a question is discarded, and is no answer to it.
    @Test func whatWasTypedAheadIsNoAnswer() async throws {
        try await StoreOfTool.with([try Pairings.pairing("Home", id: "a")]) { store in
            let terminal = try PseudoTerminal([Tool.executable.path, "forget", "Home"], environment: store.environment)
            terminal.type("y\ry\ry\r")
            let shown = try await terminal.wait(for: "[y/N] ")
            #expect(shown.contains("  gateway “Home” (aaaaaaaa)\r\n"))
            let (status, rest) = try await terminal.end(answering: "n")
            #expect(status == 130, "\(rest)")
            #expect(rest.contains("nothing was changed"))
            #expect(try store.open().pairings().count == 1)
        }
    }
}
