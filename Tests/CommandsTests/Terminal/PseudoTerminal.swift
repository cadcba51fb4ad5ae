import Foundation
import Glibc
import Synchronization

@testable import Console

/// A terminal with a program on it, which types at the program and reads what it shows.
final class PseudoTerminal {
    /// The time limit for each text that is waited for.
    private static let patience = Duration.seconds(30)

    /// The error where a text that was waited for has not come.
    struct Missing: Error, CustomStringConvertible {
        let text: String
        let shown: String

        var description: String { "“\(text)” was not shown after: \(shown.debugDescription)" }
    }

    private let process = Process()
    private let master: Int32
    private let chunks: AsyncStream<[UInt8]>
    private let continuation: AsyncStream<[UInt8]>.Continuation

    /// The bytes that were shown and have not been waited for yet.
    private var shown: [UInt8] = []

    /// Everything that was shown.
    private(set) var transcript = ""

    /// Starts a program on a terminal of its own, in an environment without any variables of the user.
    init(
        _ command: [String],
        environment: [String: String] = [:],
        folder: URL = FileManager.default.temporaryDirectory,
        columns: Int = 80,
        rows: Int = 24
    ) throws {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        var (master, terminal) = (Int32(-1), Int32(-1))
        guard openpty(&master, &terminal, nil, nil, &size) == 0 else { throw POSIXError(.ENOTTY) }
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
        self.master = master
        defer { close(terminal) }
        process.executableURL = URL(filePath: "/usr/bin/setsid")
        process.arguments = ["--ctty", "--wait"] + command
        process.environment = ["TERM": "xterm", "TZ": "UTC", "HOME": folder.path, "LC_ALL": "C.UTF-8"]
            .merging(environment) { $1 }
        process.currentDirectoryURL = folder
        let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
        (process.standardInput, process.standardOutput, process.standardError) = (handle, handle, handle)
        try process.runWithSignals()

        (chunks, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        let reader = master
        // It ends with an error when the last program has left the terminal.
        Thread { [continuation] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(reader, &buffer, buffer.count), count > 0 {
                continuation.yield(Array(buffer[..<count]))
            }
            continuation.finish()
        }.start()
    }

    deinit {
        // As when a window is closed, whatever still runs in it.
        let group = tcgetpgrp(master)
        if group > 0 { kill(-group, SIGHUP) }
        close(master)
    }

    /// Types a text.
    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Sends a signal to what runs in the foreground.
    func send(_ signal: Int32) {
        let group = tcgetpgrp(master)
        if group > 0 { kill(-group, signal) }
    }

    /// Waits until what runs in the foreground is stopped: a signal to continue that comes earlier is lost.
    func waitUntilStopped() async throws {
        let group = tcgetpgrp(master)
        let end = ContinuousClock.now + Self.patience
        while true {
            let stat = FileManager.default.contents(atPath: "/proc/\(group)/stat").map {
                String(decoding: $0, as: UTF8.self)
            }
            if stat?.contains(") T ") == true { return }
            guard .now < end else { throw Missing(text: "a stopped program", shown: stat ?? "no program") }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits until a text is shown, and returns what was shown since the last one, up to its end.
    @discardableResult
    func wait(for text: String) async throws -> String {
        let wanted = Array(text.utf8)
        let alarm = Self.alarm(continuation)
        defer { alarm.cancel() }
        if let found = take(upTo: wanted) { return found }
        for await chunk in chunks {
            keep(chunk)
            if let found = take(upTo: wanted) { return found }
        }
        throw Missing(text: text, shown: String(decoding: shown, as: UTF8.self))
    }

    private static func alarm(_ continuation: AsyncStream<[UInt8]>.Continuation) -> Task<Void, any Error> {
        Task {
            try await Task.sleep(for: patience)
            continuation.finish()
        }
    }

    private func keep(_ chunk: [UInt8]) {
        shown += chunk
        transcript += String(decoding: chunk, as: UTF8.self)
    }

    private func take(upTo wanted: [UInt8]) -> String? {
        guard let range = shown.firstRange(of: wanted) else { return nil }
        defer { shown.removeSubrange(..<range.upperBound) }
        return String(decoding: shown[..<range.upperBound], as: UTF8.self)
    }

    /// Answers the question that was shown last as soon as an answer counts, and waits until the program ends.
    func end(answering answer: String) async throws -> (status: Int32, shown: String) {
        // No answer within this time counts; nothing else tells that it is over.
        try await Task.sleep(for: AnswerHaste.readingTime + .milliseconds(50))
        type("\(answer)\r")
        for await chunk in chunks {
            keep(chunk)
            // A program that was slower than the test asks again.
            guard take(upTo: Array("Answer it now.".utf8)) != nil else { continue }
            try await wait(for: "[y/N] ")
            return try await end(answering: answer)
        }
        return await end()
    }

    /// Waits until the program ends, and returns its exit status and what it has shown since the last text.
    func end() async -> (status: Int32, shown: String) {
        for await chunk in chunks { keep(chunk) }
        // The time of the test is over.
        if Task.isCancelled { process.terminate() }
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: shown, as: UTF8.self))
    }
}

extension Process {
    /// Starts the process with all signals: threads of a Swift program that wait for work block them, and a child
    /// process would inherit that mask.
    func runWithSignals() throws {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try run()
    }
}
