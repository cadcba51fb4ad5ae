internal import DNSSD
internal import Discovery
internal import Synchronization

/// A watch of services that keeps a table on the terminal true.
final class LiveWatch: Sendable {
    private struct State {
        var model = ServiceTableModel()
        var status = BackendStatus.starting
        var warning: String?
        var lastChange = TimeText.now
    }

    private let browser: Browser
    private let output: StandardOutput
    private let screen: LiveScreen
    private let style = Style(isOn: Environment.wantsColour)
    private let state = Mutex(State())

    init(browser: Browser, output: StandardOutput) {
        self.browser = browser
        self.output = output
        self.screen = LiveScreen(output: output)
    }

    /// Shows it until the user has enough, and leaves what was there last on the screen.
    func run() async throws {
        try await screen.run(
            view: { self.view.lines($0) },
            nextMarkEnds: { self.state.withLock(\.model.nextMarkEnds) },
            expire: { now in self.state.withLock { $0.model.expire(now: now) } },
            work: { await self.follow() }
        )
        let services = state.withLock { $0.model.services }
        try output.write(ScanTable.text(services, width: output.terminal?.columns))
    }

    private var view: ServiceTableView {
        state.withLock { state in
            ServiceTableView(
                model: state.model,
                status: state.status,
                source: browser.source,
                warning: state.warning,
                lastChange: state.lastChange,
                style: style
            )
        }
    }

    private func follow() async {
        await withTaskGroup { group in
            group.addTask { await self.followChanges() }
            group.addTask { await self.followCondition() }
            group.addTask { await self.browser.run() }
        }
    }

    private func followChanges() async {
        for await change in browser.changes {
            state.withLock { state in
                state.model.apply(change, now: .now)
                state.lastChange = TimeText.now
            }
            screen.change()
        }
    }

    private func followCondition() async {
        for await condition in browser.conditions {
            state.withLock { ($0.status, $0.warning) = (condition.status, condition.warnings.last?.message) }
            screen.change()
        }
    }
}
