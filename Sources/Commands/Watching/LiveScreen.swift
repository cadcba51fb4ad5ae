internal import DNSSD
internal import Synchronization
internal import UnixSignals

/// A picture that takes all of the terminal and is kept true.
final class LiveScreen: Sendable {
    /// The shortest time between two pictures.
    private static let frameTime = Duration.milliseconds(100)

    private let output: any Canvas
    private let clock: any MonotonicClock

    /// Indicates whether the picture is on the screen. Held while writing, so that nothing is drawn over what comes
    /// after it.
    private let isShown = Mutex(false)

    /// Says that the picture is no longer true; several times before the next picture count as one.
    private let (stale, makeStale) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Says that there may be a mark.
    private let (marked, mark) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - output: The terminal.
    ///   - clock: The clock by which pictures follow each other, and marks end.
    init(output: any Canvas, clock: any MonotonicClock = ContinuousClock()) {
        self.output = output
        self.clock = clock
    }

    /// Something is new, and may carry a mark.
    func change() {
        makeStale.yield()
        mark.yield()
    }

    /// Shows pictures until the user has enough or the work is done, and leaves the screen as it was.
    ///
    /// - Parameters:
    ///   - view: The lines for a terminal.
    ///   - nextMarkEnds: When the next mark's time is over.
    ///   - expire: Takes off the marks whose time is over; whether anything looks different then.
    ///   - work: Finds out what there is to show, and calls ``change()``.
    func run(
        view: @escaping @Sendable (Terminal) -> [String],
        nextMarkEnds: @escaping @Sendable () -> ContinuousClock.Instant?,
        expire: @escaping @Sendable (ContinuousClock.Instant) -> Bool,
        work: @escaping @Sendable () async throws -> Void
    ) async throws {
        try show()
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await Signals.waitForEnd() }
                group.addTask { try await self.draw(view) }
                group.addTask { await self.followMarks(nextMarkEnds, expire) }
                group.addTask { await self.followTerminal() }
                group.addTask { try await work() }
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
            try? await clock.sleep(until: clock.now + Self.frameTime, tolerance: nil)
        }
    }

    /// Takes marks off when their time is over. Without a mark it waits for one, and no timer runs.
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

    /// Draws again when the window has another size, or the job was stopped and goes on.
    private func followTerminal() async {
        for await _ in await UnixSignalsSequence(trapping: .sigwinch, .sigcont) { makeStale.yield() }
    }
}
