internal import DNSSD
internal import Discovery
internal import Synchronization
internal import UnixSignals

/// A watch that keeps a table on the terminal true.
final class LiveWatch: Sendable {
    /// The shortest time between two pictures.
    private static let frameTime = Duration.milliseconds(100)

    private struct State {
        var board = WatchBoard()
        var status = BackendStatus.starting
        var warning: String?
        var lastChange = TimeText.now
    }

    private let browser: Browser
    private let output: StandardOutput
    private let style = Style(isOn: Environment.wantsColour)
    private let state = Mutex(State())

    /// Whether the picture is on the screen. Held while writing, so that nothing is drawn over what comes after it.
    private let isShown = Mutex(false)

    /// Says that the picture is no longer true; several times before the next picture count as one.
    private let (stale, makeStale) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Says that there may be a mark.
    private let (marked, mark) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(browser: Browser, output: StandardOutput) {
        self.browser = browser
        self.output = output
    }

    /// Shows it until the user has enough, and leaves what was there last on the screen.
    func run() async throws {
        try show()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await Signals.waitForEnd() }
                group.addTask { try await self.draw() }
                group.addTask { await self.followChanges() }
                group.addTask { await self.followCondition() }
                group.addTask { await self.followMarks() }
                group.addTask { await self.followTerminal() }
                group.addTask { await self.browser.run() }
                // None of the others ends by itself, except when the terminal is gone.
                defer { group.cancelAll() }
                _ = try await group.next()
                // First of all, so that a second Ctrl-C finds the terminal as it was.
                try self.hide()
            }
        } catch {
            try? hide()
            throw error
        }
        let services = state.withLock { $0.board.services }
        try output.write(ScanTable.text(services, width: output.terminal?.columns))
    }

    private func show() throws {
        try isShown.withLock { isShown in
            isShown = true
            try output.write(Screen.enter)
        }
    }

    private func hide() throws {
        try isShown.withLock { isShown in
            guard isShown else { return }
            isShown = false
            try output.write(Screen.leave)
        }
    }

    private func draw() async throws {
        makeStale.yield()
        for await _ in stale {
            guard let terminal = output.terminal, !Task.isCancelled else { return }
            let picture = state.withLock { state in
                WatchPicture(
                    board: state.board,
                    status: state.status,
                    source: browser.source,
                    warning: state.warning,
                    lastChange: state.lastChange,
                    style: style
                )
            }
            let frame = Screen.frame(picture.lines(terminal))
            try isShown.withLock { if $0 { try output.write(frame) } }
            try? await Task.sleep(for: Self.frameTime)
        }
    }

    private func followChanges() async {
        for await change in browser.changes {
            state.withLock { state in
                state.board.apply(change, now: .now)
                state.lastChange = TimeText.now
            }
            makeStale.yield()
            mark.yield()
        }
    }

    private func followCondition() async {
        for await condition in browser.conditions {
            state.withLock { ($0.status, $0.warning) = (condition.status, condition.warnings.last?.message) }
            makeStale.yield()
        }
    }

    /// Takes marks off when their time is over. Without a mark it waits for one, and no timer runs.
    private func followMarks() async {
        for await _ in marked {
            while let end = state.withLock({ $0.board.nextMarkEnds }) {
                guard (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
                if state.withLock({ $0.board.expire(now: .now) }) { makeStale.yield() }
            }
        }
    }

    /// Draws again when the window has another size, or the job was stopped and goes on.
    private func followTerminal() async {
        for await _ in await UnixSignalsSequence(trapping: .sigwinch, .sigcont) { makeStale.yield() }
    }
}
