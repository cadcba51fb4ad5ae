import ArgumentParser
import SystemPackage
import Testing

@testable import Console

/// Questions at a terminal, for which a pipe stands here.
@Suite(.timeLimit(.minutes(1))) struct TerminalDialogueTests {
    @Test func aLineIsRead() async throws {
        let (reader, writer) = try FileDescriptor.pipe()
        defer { try? reader.close() }
        try writer.writeAll(Array("yes\nand more".utf8))
        #expect(try await TerminalDialogue.line(from: reader) == Array("yes".utf8))
        try writer.close()
    }

    /// An answer that comes faster than anybody reads does not count: the user has not seen the question. A program that
    /// answers each time at once is not asked for ever.
    @Test func hastyAnswersDoNotCount() {
        var haste = AnswerHaste()
        #expect(haste.judge(.milliseconds(299)) == .isAskedAgain)
        #expect(haste.judge(.milliseconds(300)) == .counts)
        #expect((0..<4).map { _ in haste.judge(.zero) } == [.isAskedAgain, .isAskedAgain, .isAskedAgain, .isGivenUp])
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
