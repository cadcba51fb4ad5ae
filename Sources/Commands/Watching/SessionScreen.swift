internal import Console
internal import Reports
internal import Scanning
internal import Synchronization

/// The sessions as a live table on a terminal.
final class SessionScreen: Sendable {
    private let source: any WatchSource
    private let output: StandardOutput
    private let screen: LiveScreen
    private let style = Style(isOn: Environment.wantsColour)
    private let state: Mutex<State>

    private struct State {
        var feed = SessionFeed()
        var approvals = ApprovalFeed()
        var lastChange = TimeText.now

        /// The lines about problems that keep the browser from seeing the network.
        var trouble: [String] = []
    }

    init(source: any WatchSource, output: StandardOutput) {
        self.source = source
        self.output = output
        self.screen = LiveScreen(output: output)
        self.state = Mutex(State())
    }

    /// Shows the table until the user ends it, and then prints its last state.
    func run() async throws {
        try await screen.run(
            view: { self.lines($0) },
            nextMarkEnds: { nil },
            expire: { _ in false },
            work: { try await self.source.run { update, _ in self.show(update) } }
        )
        let lines = SessionTable.lines(entries, width: output.terminal?.columns, style: style)
        try output.write(lines.map { $0 + "\n" }.joined())
    }

    private func show(_ update: ConstellationUpdate) {
        state.withLock { state in
            let news = state.approvals.take(update)
            if !state.feed.take(update).isEmpty || !news.isEmpty { state.lastChange = TimeText.now }
            if let condition = update.backends.last { state.trouble = SessionTable.trouble(condition) }
        }
        screen.change()
    }

    private var entries: [ShownSession] { state.withLock { $0.feed.sessions } }

    private func lines(_ terminal: Terminal) -> [String] {
        // A line that fills the last cell makes some terminals wrap.
        let width = max(terminal.columns - 1, 20)
        let (lastChange, troubles, approvals) = state.withLock { ($0.lastChange, $0.trouble, $0.approvals.waiting) }
        let connected = entries.count { $0.state == .connected }
        let foot = "\(connected) of \(entries.count) connected · changed \(lastChange) · Ctrl-C ends"
        let below = (ApprovalText.lines(approvals, at: Timestamp.now.milliseconds) + troubles + [foot]).flatMap {
            WrappedText.lines($0, first: "", width: width, isLive: true)
        }
        return Screen.picture(foot: below.map(style.dim), height: terminal.rows) {
            SessionTable.picture(entries, width: width, height: $0, style: style)
        }
    }
}
