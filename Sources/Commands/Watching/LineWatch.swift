internal import Console
internal import Reports
internal import Scanning
internal import Synchronization

/// A watch that prints one line for each change.
final class LineWatch: Sendable {
    private struct State {
        var lines: any WatchLines
        var messages = BackendMessages()
    }

    private let source: any WatchSource
    private let write: @Sendable (String) throws -> Void

    /// Locked while printing, so that the lines keep the order in which the updates were taken in.
    private let state: Mutex<State>

    /// Makes a watch.
    ///
    /// - Parameters:
    ///   - source: The source of the updates.
    ///   - lines: The rendering of the updates.
    ///   - write: The closure that prints a line.
    init(source: any WatchSource, lines: any WatchLines, write: @escaping @Sendable (String) throws -> Void) {
        self.source = source
        self.write = write
        self.state = Mutex(State(lines: lines))
    }

    /// Prints until the user ends the watch, or nothing more will come.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await Signals.waitForEnd() }
            // A watch may have nothing to print for hours, and would not notice that nobody reads it.
            group.addTask { try await StandardOutput.waitForItsReader() }
            group.addTask {
                try await self.source.run({ try self.show($0, at: $1) }, looked: { try self.noteLooked(at: $0) })
            }
            defer { group.cancelAll() }
            _ = try await group.next()
        }
    }

    private func noteLooked(at time: Timestamp) throws {
        try state.withLock { state in
            for line in state.lines.noteLooked(at: time) { try write(line) }
        }
    }

    private func show(_ update: ConstellationUpdate, at time: Timestamp) throws {
        try state.withLock { state in
            for line in state.lines.take(update, at: time) { try write(line) }
            for condition in update.backends { state.messages.take(condition).forEach(Notes.show) }
        }
    }
}
