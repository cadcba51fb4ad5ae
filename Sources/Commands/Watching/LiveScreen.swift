internal import Console
internal import DNSSD
internal import Synchronization
internal import UnixSignals

/// A full-screen picture on a terminal that is kept up to date.
final class LiveScreen: Sendable {
    /// The minimum time between two frames.
    private static let frameTime = Duration.milliseconds(100)

    private let output: any Canvas
    private let clock: any MonotonicClock

    /// Indicates whether the picture is on the screen. Locked while writing, so that no frame is drawn after the screen
    /// has been left.
    private let isShown = Mutex(false)

    /// The signal that the picture is out of date. Several signals before the next frame count as one.
    private let (stale, makeStale) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The signal that there may be a new mark.
    private let (marked, mark) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Makes a screen.
    ///
    /// - Parameters:
    ///   - output: The terminal.
    ///   - clock: The clock that times the frames and the ends of marks.
    init(output: any Canvas, clock: any MonotonicClock = ContinuousClock()) {
        self.output = output
        self.clock = clock
    }

    /// Marks the picture as out of date, after a change that may have added a mark.
    func change() {
        makeStale.yield()
        mark.yield()
    }

    /// Shows the picture until the user ends it or the work is done, and then restores the screen.
    ///
    /// - Parameters:
    ///   - view: A closure that returns the lines for a terminal.
    ///   - nextMarkEnds: A closure that returns the time at which the next mark ends; `nil` if there is no mark.
    ///   - expire: A closure that removes the marks whose time is over, and returns whether anything looks different
    ///     then.
    ///   - work: The work that updates the content of the picture, and calls ``change()``.
    func run(
        view: @escaping @Sendable (Terminal) -> [String],
        nextMarkEnds: @escaping @Sendable () -> ContinuousClock.Instant?,
        expire: @escaping @Sendable (ContinuousClock.Instant) -> Bool,
        work: @escaping @Sendable () async throws -> Void
    ) async throws {
        // Before the picture is there: a Ctrl-Z would stop the process with it on the terminal.
        let stops = await Signals.takeStops()
        try show()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await Signals.waitForEnd() }
                group.addTask { try await self.draw(view) }
                group.addTask { await self.followMarks(nextMarkEnds, expire) }
                group.addTask { await self.followTerminal() }
                group.addTask { try await self.follow(stops) }
                group.addTask { try await work() }
                // Apart from the signal and the work, no task ends by itself, except when the terminal is gone.
                defer { group.cancelAll() }
                _ = try await group.next()
                // Comes before everything else, so that the terminal is restored when a second Ctrl-C ends the process.
                try self.hide()
            }
        } catch {
            try? hide()
            throw error
        }
    }

    private func show() throws {
        try isShown.withLock { isShown in
            isShown = true
            Screen.isEntered.store(true, ordering: .relaxed)
            try output.write(Screen.enter)
        }
    }

    private func hide() throws {
        try isShown.withLock { isShown in
            guard isShown else { return }
            isShown = false
            try output.write(Screen.leave)
            Screen.isEntered.store(false, ordering: .relaxed)
        }
    }

    private func draw(_ view: (Terminal) -> [String]) async throws {
        makeStale.yield()
        for await _ in stale {
            guard let terminal = output.terminal, !Task.isCancelled else { return }
            let frame = Screen.frame(view(terminal))
            try isShown.withLock { if $0 { try output.write(frame) } }
            try? await clock.sleep(for: Self.frameTime)
        }
    }

    /// Removes marks when their time is over. Without a mark it waits for one, and no timer runs.
    private func followMarks(
        _ nextMarkEnds: () -> ContinuousClock.Instant?,
        _ expire: (ContinuousClock.Instant) -> Bool
    ) async {
        for await _ in marked {
            while let end = nextMarkEnds() {
                guard (try? await clock.sleep(until: end, tolerance: nil)) != nil else { return }
                if expire(clock.now) { makeStale.yield() }
            }
        }
    }

    /// Shows the previous content of the terminal while the job is stopped by Ctrl-Z.
    private func follow(_ stops: AsyncStream<Int>) async throws {
        for await count in stops where count > 0 {
            try isShown.withLock { isShown in
                guard isShown else { return }
                try output.write(Screen.leave)
                Signals.stop()
                try output.write(Screen.enter)
            }
            makeStale.yield()
        }
    }

    /// Draws again when the size of the window changes, or when a stopped job continues.
    private func followTerminal() async {
        for await _ in await UnixSignalsSequence(trapping: .sigwinch, .sigcont) { makeStale.yield() }
    }
}
