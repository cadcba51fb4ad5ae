import Foundation
import Glibc
import Synchronization
import Testing

/// A command that runs on a host of the lab. Its output is read line by line while it runs.
///
/// `scripts/lab exec` replaces itself by the command, so that a signal to this process reaches the command.
final class LabProcess: Sendable {
    /// A line of standard output, and the time at which it was read.
    struct Line: Sendable {
        let text: String
        let time: ContinuousClock.Instant
    }

    /// The outcome of a command that has ended.
    struct Result: Sendable {
        let output: String
        let errors: String
        let status: Int32
        let elapsed: Duration
    }

    struct TimedOut: Error, CustomStringConvertible {
        let description: String
    }

    private struct Output {
        var lines: [Line] = []
        var isClosed = false
        /// The index of the first line that ``line(within:_:where:)`` has not looked at.
        var next = 0
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// Processes are started one at a time.
    private static let starting = Mutex(())

    private let process: Process
    private let output = Mutex(Output())
    private let errors = Mutex((text: Data(), isClosed: false))
    private let start = ContinuousClock.now

    init(_ command: [String]) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = FileHandle.nullDevice
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        // The worker threads of a Swift program block all signals, and a child process inherits the signal mask.
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // Foundation reads beyond the end of its list of descriptors if a thread opens some meanwhile.
        try Self.starting.withLock { _ in try process.run() }

        let reader = out.fileHandleForReading
        Thread { [self] in
            var rest = Data()
            while case let chunk = reader.availableData, !chunk.isEmpty {
                let now = ContinuousClock.now
                rest.append(chunk)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    let text = String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
                    rest = Data(rest[rest.index(after: end)...])
                    publish(Line(text: text, time: now))
                }
            }
            if !rest.isEmpty { publish(Line(text: String(decoding: rest, as: UTF8.self), time: .now)) }
            publish(nil)
        }.start()
        let errorReader = err.fileHandleForReading
        Thread { [self] in
            while case let chunk = errorReader.availableData, !chunk.isEmpty {
                errors.withLock { $0.text.append(chunk) }
            }
            errors.withLock { $0.isClosed = true }
        }.start()
        EndsItsProcesses.started?.add(self)
    }

    private func publish(_ line: Line?) {
        let waiter = output.withLock { output in
            if let line { output.lines.append(line) } else { output.isClosed = true }
            defer { output.waiter = nil }
            return output.waiter
        }
        waiter?.resume()
    }

    /// Waits for the next line that fulfils the condition, and skips those before it.
    ///
    /// - Parameters:
    ///   - limit: The maximum time to wait.
    ///   - description: A description of the line, for the error message.
    /// - Throws: ``TimedOut`` if there is no such line within the limit, or if the output has ended.
    func line(
        within limit: Duration,
        _ description: String,
        where condition: @escaping @Sendable (String) -> Bool = { _ in true }
    ) async throws -> Line {
        var patience = Patience(limit)
        while true {
            let (found, isClosed) = output.withLock { output -> (Line?, Bool) in
                while output.next < output.lines.count {
                    let line = output.lines[output.next]
                    output.next += 1
                    if condition(line.text) { return (line, false) }
                }
                return (nil, output.isClosed)
            }
            if let found { return found }
            guard !isClosed, patience.isLeft() else {
                throw TimedOut(description: "no \(description) within \(limit); output: \(text); errors: \(errorText)")
            }
            await waitForOutput(within: patience.step)
        }
    }

    /// Waits until there is more output, at most for the given time.
    private func waitForOutput(within limit: Duration) async {
        let deadline = ContinuousClock.now + limit
        let alarm = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            self.wake()
        }
        defer { alarm.cancel() }
        await withCheckedContinuation { continuation in
            let isReady = output.withLock { output in
                if output.next < output.lines.count || output.isClosed || ContinuousClock.now >= deadline {
                    return true
                }
                output.waiter = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    private func wake() {
        let waiter = output.withLock { output in
            defer { output.waiter = nil }
            return output.waiter
        }
        waiter?.resume()
    }

    /// All lines that have been printed, including those that ``line(within:_:where:)`` has returned or skipped.
    var lines: [Line] { output.withLock { $0.lines } }

    private var text: String { lines.map(\.text).joined(separator: "\n") }

    var errorText: String { errors.withLock { String(decoding: $0.text, as: UTF8.self) } }

    var pid: pid_t { process.processIdentifier }

    var isRunning: Bool { exitStatus() == nil }

    /// Returns the exit status, with 128 added to the number of a signal, or `nil` while the command runs.
    ///
    /// The kernel is asked, because Foundation notices the end by a descriptor that everything inherits which the
    /// command starts: a daemon that outlives it would hold up a test for ever.
    private func exitStatus() -> Int32? {
        var end = siginfo_t()
        if waitid(P_PID, id_t(pid), &end, WEXITED | WNOHANG | WNOWAIT) == 0 {
            guard end._sifields._sigchld.si_pid != 0 else { return nil }
            let status = end._sifields._sigchld.si_status
            return end.si_code == CLD_EXITED ? status : 128 + status
        }
        // Foundation has asked the kernel first.
        guard !process.isRunning else { return nil }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits for the end of the command, which is killed if it does not end within the limit.
    func finish(within limit: Duration) async throws -> Result {
        var patience = Patience(limit)
        while output.withLock({ !$0.isClosed }) {
            guard patience.isLeft() else {
                signal(SIGKILL)
                throw TimedOut(description: "no end within \(limit); output: \(text); errors: \(errorText)")
            }
            output.withLock { $0.next = $0.lines.count }
            await waitForOutput(within: patience.step)
        }
        var exit = exitStatus()
        while exit == nil {
            guard patience.isLeft() else {
                signal(SIGKILL)
                throw TimedOut(description: "its output has ended, and it has not, within \(limit)")
            }
            try await Task.sleep(for: .milliseconds(2))
            exit = exitStatus()
        }
        // Foundation gives its descriptors back only where it is asked to wait, and returns only once it has noticed the end.
        var notice = Patience(.seconds(1))
        while process.isRunning, notice.isLeft() { try await Task.sleep(for: .milliseconds(2)) }
        if !process.isRunning { process.waitUntilExit() }
        // What it has said last is read by a thread. A program that it has started may keep its standard error open.
        var rest = Patience(.seconds(1))
        while errors.withLock({ !$0.isClosed }), rest.isLeft() { try await Task.sleep(for: .milliseconds(2)) }
        return Result(output: text, errors: errorText, status: exit ?? -1, elapsed: .now - start)
    }

    /// Sends a signal that ends the command, and waits for its end.
    @discardableResult
    func stop(_ number: Int32 = SIGTERM) async throws -> Result {
        signal(number)
        return try await finish(within: .seconds(10))
    }
}
