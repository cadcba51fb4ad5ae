internal import Agent
internal import Console
internal import Discovery
internal import HostSystem
internal import Reports
internal import Synchronization
internal import SystemPackage

/// The log of an agent, on standard error: written on a thread of its own, so that nobody waits for who reads it.
///
/// A terminal that is stopped with Ctrl-S takes nothing, nor does a pipe that nobody reads, or a file on a full disk. What
/// does not fit meanwhile is lost, and counted.
final class LogWriter: Sendable {
    /// The maximum number of lines that wait, and of their bytes.
    static let most = 1_000
    static let mostBytes = 262_144

    /// The time after which a line that nobody takes is a trouble.
    static let timeout = Duration.seconds(5)

    /// The time between two looks at that.
    private static let interval = Duration.seconds(5)

    private struct State {
        var lines: [String] = []
        var bytes = 0

        /// The number of lines that were lost since the last one that was written.
        var lost = 0

        /// The reason for the last failure; `nil` if none was since.
        var failure: String?

        /// The time since which one line is being written, by both clocks; `nil` if none is.
        var since: (instant: ContinuousClock.Instant, time: Timestamp)?
    }

    private let state = Mutex(State())
    private let thread = BlockingCalls(most: 1)
    private let isIdle = Broadcast(true)
    private let output: @Sendable ([UInt8]) -> OutputError?

    /// - Parameter output: Writes some bytes, however long that takes.
    init(output: @escaping @Sendable ([UInt8]) -> OutputError? = { StandardStreams.write($0, to: 2) }) {
        self.output = output
    }

    /// Has a line written. Returns at once.
    ///
    /// - Parameter line: The line, with its end.
    func write(_ line: String) {
        let begins = state.withLock { state in
            guard state.lines.count < Self.most, state.bytes + line.utf8.count <= Self.mostBytes else {
                state.lost += 1
                return false
            }
            state.lines.append(line)
            state.bytes += line.utf8.count
            guard state.since == nil else { return false }
            state.since = (.now, .now)
            isIdle.send(false)
            return true
        }
        if begins { thread.run { self.drain() } }
    }

    /// Writes what waits, until nothing does.
    private func drain() {
        while let (text, number) = next() {
            let failure = output(Array(text.utf8))
            // Nobody wants to read it where standard error is closed.
            guard failure?.code != .badFileDescriptor else { continue }
            state.withLock { state in
                state.failure = failure.map { "\($0.code)" }
                if failure != nil { state.lost += number }
                // The process ends, and has waited for long enough.
                if failure == .notRead { (state.lines, state.bytes, state.lost) = ([], 0, 0) }
            }
        }
    }

    /// Returns the text to be written next, with the number of lines that are lost with it; `nil` if none waits.
    private func next() -> (text: String, lines: Int)? {
        state.withLock { state in
            let saysLoss = state.lines.isEmpty && state.lost > 0 && state.failure == nil
            guard saysLoss || !state.lines.isEmpty else {
                state.since = nil
                isIdle.send(true)
                return nil
            }
            state.since = (.now, .now)
            if saysLoss {
                defer { state.lost = 0 }
                let text = "lines of this log were lost, since nobody took them"
                return ("\(TimeText.now) warning: \(state.lost) \(text)\n", state.lost)
            }
            let line = state.lines.removeFirst()
            state.bytes -= line.utf8.count
            return (line, 1)
        }
    }

    /// Tries again to write, after a failure.
    private func retry() {
        let begins = state.withLock { state in
            guard state.failure != nil, state.since == nil else { return false }
            state.failure = nil
            state.since = (.now, .now)
            return true
        }
        if begins { thread.run { self.drain() } }
    }

    /// Waits until all is written, for a time at most.
    func finish(within time: Duration) async {
        let stream = isIdle.stream(limit: 1)
        await withDiscardingTaskGroup { group in
            group.addTask { try? await Task.sleep(for: time) }
            for await isIdle in stream where isIdle { break }
            group.cancelAll()
        }
    }

    /// The reason why the log is not what it should be, for people; `nil` if it is.
    ///
    /// The number is rounded: each new reason is one more line of the log.
    func trouble(at now: ContinuousClock.Instant = .now) -> String? {
        state.withLock { state in
            var power = 1
            while power * 10 <= state.lost { power *= 10 }
            let number = power == 1 ? "some" : "more than \(power)"
            let lost = state.lost == 0 ? "" : ": \(number) lines of the log are lost"
            if let since = state.since, now - since.instant >= Self.timeout {
                return "nobody has taken what standard error says since \(since.time)\(lost)"
            }
            return state.failure.map { "standard error cannot be written to: \($0)\(lost)" }
        }
    }

    /// The part of the agent that says so.
    var part: AgentPart {
        AgentPart("log") { reporter in
            while true {
                self.retry()
                reporter.works(except: self.trouble())
                try await Task.sleep(for: Self.interval)
            }
        }
    }
}
