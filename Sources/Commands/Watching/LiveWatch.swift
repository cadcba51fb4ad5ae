internal import Console
internal import DNSSD
internal import Reports
internal import Scanning
internal import Synchronization

/// A watch that keeps a table on the terminal up to date.
final class LiveWatch: Sendable {
    private struct State {
        var table: any LiveTable
        var caption: LiveTableCaption
        var approvals = ApprovalFeed()
    }

    private let source: any WatchSource
    private let output: any Canvas
    private let screen: LiveScreen
    private let clock: any MonotonicClock
    private let style: Style
    private let state: Mutex<State>

    /// Makes a watch.
    ///
    /// - Parameters:
    ///   - source: The source of the updates.
    ///   - table: The table that shows them.
    ///   - output: The terminal.
    ///   - clock: The clock that times the frames and the ends of marks.
    init(
        source: any WatchSource,
        table: any LiveTable,
        output: any Canvas,
        clock: any MonotonicClock = ContinuousClock()
    ) {
        self.source = source
        self.output = output
        self.clock = clock
        self.screen = LiveScreen(output: output, clock: clock)
        self.style = Style(isOn: Environment.wantsColour)
        let caption = LiveTableCaption(status: [source.name], lastChange: TimeText.now, style: style)
        self.state = Mutex(State(table: table, caption: caption))
    }

    /// Shows the table until the user ends the watch or nothing more will come, and then prints its last state.
    func run() async throws {
        let failure: (any Error)?
        do {
            try await screen.run(
                view: { self.lines($0) },
                nextMarkEnds: { self.state.withLock { $0.table.nextMarkEnds } },
                expire: { now in self.state.withLock { $0.table.expire(now: now) } },
                work: { try await self.source.run({ self.show($0, at: $1) }, looked: { _ in self.noteLooked() }) }
            )
            failure = nil
        } catch let error as OutputError {
            throw error
        } catch {
            // The last state is printed nevertheless, because the findings before the error are still of use.
            failure = error
        }
        let table = state.withLock { $0.table }
        try output.write(table.text(width: output.terminal?.columns, style: style))
        if let failure { throw failure }
    }

    private func lines(_ terminal: Terminal) -> [String] {
        var (table, caption, approvals) = state.withLock { ($0.table, $0.caption, $0.approvals.waiting) }
        caption.notes = ApprovalText.lines(approvals, at: Timestamp.now.milliseconds)
        return table.lines(terminal, caption)
    }

    private func noteLooked() {
        state.withLock { $0.table.noteLooked() }
        screen.change()
    }

    private func show(_ update: ConstellationUpdate, at time: Timestamp) {
        state.withLock { state in
            state.table.apply(update, now: clock.now)
            _ = state.approvals.take(update)
            if let condition = update.backends.last { state.caption.status = condition.lines }
            if case .changes(let changes, _) = update, changes.count == update.backends.count { return }
            state.caption.lastChange = TimeText.local(time)
        }
        screen.change()
    }
}
