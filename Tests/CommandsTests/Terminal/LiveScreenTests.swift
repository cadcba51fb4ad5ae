import Foundation
import Glibc
import SystemPackage
import Testing

@testable import Commands
@testable import Console

/// A live picture gives the terminal back to whoever wants it, and ends with its reader.
@Suite(.timeLimit(.minutes(1))) struct LiveScreenTests {
    /// Ctrl-Z shows what was on the terminal before, and the picture comes back with the job.
    @Test func aStoppedJobLeavesTheScreen() async throws {
        let recording = Golden.folder.appending(path: "recording.ndjson").path
        let command = [Tool.executable.path, "watch", "--replay", recording, "--speed", "0.001"]
        let terminal = try PseudoTerminal(command)
        try await terminal.wait(for: Screen.enter)
        try await terminal.wait(for: "Ctrl-C")
        terminal.type("\u{1A}")
        try await terminal.wait(for: Screen.leave)
        try await terminal.waitUntilStopped()
        terminal.send(SIGCONT)
        try await terminal.wait(for: Screen.enter)
        try await terminal.wait(for: "Ctrl-C")
        terminal.type("\u{3}")
        let (status, shown) = await terminal.end()
        #expect(shown.contains(Screen.leave), "\(status) \(shown.debugDescription)")
    }

    /// `watch | head -1` ends when the reader does, and not at the next change, which may be hours away.
    @Test func aReaderThatLeavesIsNoticed() async throws {
        let (reader, writer) = try FileDescriptor.pipe()
        defer { try? writer.close() }
        let wait = Task { try await StandardOutput.waitForItsReader(of: writer.rawValue) }
        try reader.close()
        let error = await #expect(throws: OutputError.self) { try await wait.value }
        #expect(error?.isClosedByReader == true)
        // Nor does it keep anything from ending.
        let (other, quiet) = try FileDescriptor.pipe()
        let cancelled = Task { try await StandardOutput.waitForItsReader(of: quiet.rawValue) }
        cancelled.cancel()
        try await cancelled.value
        try other.close()
    }
}
