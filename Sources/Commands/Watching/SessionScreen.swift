internal import GatewayReports
internal import Synchronization

/// The sessions as a live table on a terminal.
final class SessionScreen: Sendable {
    private let keeper: SessionKeeper
    private let output: StandardOutput
    private let screen: LiveScreen
    private let style = Style(isOn: Environment.wantsColour)
    private let state: Mutex<(board: SessionBoard, lastChange: String)>

    init(keeper: SessionKeeper, output: StandardOutput) {
        self.keeper = keeper
        self.output = output
        self.screen = LiveScreen(output: output)
        self.state = Mutex((SessionBoard(), TimeText.now))
    }

    /// Shows it until the user has enough, and leaves what was there last on the screen.
    func run() async throws {
        try await screen.run(
            view: { self.lines($0) },
            nextMarkEnds: { nil },
            expire: { _ in false },
            work: {
                try await self.keeper.run { news, board in
                    self.state.withLock { state in
                        state.board = board
                        if !news.isEmpty { state.lastChange = TimeText.now }
                    }
                    self.screen.change()
                }
            }
        )
        let lines = SessionTable.lines(entries, width: output.terminal?.columns, style: style)
        try output.write(lines.map { $0 + "\n" }.joined())
    }

    private var entries: [SessionEntry] {
        state.withLock { $0.board.sorted }
    }

    private func lines(_ terminal: Terminal) -> [String] {
        // A line that fills the last cell makes some terminals wrap.
        let width = max(terminal.columns - 1, 20)
        let room = max(terminal.rows - 2, 2)
        var lines = SessionTable.lines(entries, width: width, style: style)
        if lines.count > room { lines = lines.prefix(room - 1) + ["… and more; make the window larger"] }
        let connected = entries.count { $0.state == .connected }
        let foot = "\(connected) of \(entries.count) connected · changed \(state.withLock(\.lastChange)) · Ctrl-C ends"
        return lines + ["", style.dim(DisplayWidth.fit(foot, in: width))]
    }
}
