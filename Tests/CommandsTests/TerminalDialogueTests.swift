import ArgumentParser
import Foundation
import SystemPackage
import Testing

@testable import Commands

/// Questions at a terminal, for which a pipe stands here.
@Suite(.timeLimit(.minutes(1))) struct TerminalDialogueTests {
    @Test func aLineIsRead() async throws {
        let (reader, writer) = try FileDescriptor.pipe()
        defer { try? reader.close() }
        try writer.writeAll(Array("yes\nand more".utf8))
        #expect(try await TerminalDialogue.line(from: reader) == Array("yes".utf8))
        try writer.close()
    }

    /// A question ends when its task is cancelled, although the user has not answered: the time limit of a verb also
    /// applies while the user thinks.
    @Test func aCancelledQuestionEnds() async throws {
        let (reader, writer) = try FileDescriptor.pipe()
        defer {
            try? reader.close()
            try? writer.close()
        }
        let question = Task { () throws(CommandFailure) in try await TerminalDialogue.line(from: reader) }
        question.cancel()
        let failure = await #expect(throws: CommandFailure.self) { try await question.value }
        #expect(failure?.status == .cancelled)
    }
}
