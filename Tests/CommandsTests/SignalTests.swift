import Foundation
import Glibc
import Pairing
import Testing

/// The tool ends within two seconds after a signal, whatever happens to its output.
@Suite(.timeLimit(.minutes(1))) struct SignalTests {
    /// A pipe that nobody reads.
    private final class UnreadPipe: Sendable {
        let pipe = Pipe()

        /// Creates a pipe of the smallest possible capacity, one page.
        init() { _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, 1_031, 4_096) }

        /// The number of bytes in the pipe.
        private var count: Int32 {
            var count: Int32 = 0
            _ = ioctl(pipe.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count)
            return count
        }

        /// Waits until the writer is blocked: the pipe contains something, and nothing is added for a while.
        func untilFull() async throws {
            var (before, looks) = (Int32(0), 0)
            while looks < 20 {
                try await Task.sleep(for: .milliseconds(20))
                looks = count > 0 && count == before ? looks + 1 : 0
                before = count
            }
        }
    }

    private static let lines = ["watch", "--replay", Golden.recording.file.path, "--format", "ndjson"]

    /// Waits until the tool ends, and kills it after five seconds, so that a test that fails ends as well.
    private static func end(of tool: Tool) async -> (result: Tool.Result, elapsed: Duration) {
        let start = ContinuousClock.now
        let alarm = Task {
            try await Task.sleep(for: .seconds(5))
            tool.send(SIGKILL)
        }
        defer { alarm.cancel() }
        let result = await tool.end()
        return (result, result.endedAt - start)
    }

    /// Lets up to three tools end, until one does so in time, and returns the last: a machine that pauses for a second
    /// makes any of them late, but not all.
    private static func oneOfThree(
        within limit: Duration,
        _ body: () async throws -> (result: Tool.Result, elapsed: Duration)
    ) async throws -> Tool.Result {
        for _ in 0..<2 {
            let (result, elapsed) = try await body()
            if result.status == 0, elapsed < limit { return result }
        }
        let (result, elapsed) = try await body()
        #expect(elapsed < limit)
        return result
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func itEndsThoughNobodyReads(signal: Int32) async throws {
        let result = try await Self.oneOfThree(within: .seconds(2)) {
            let unread = UnreadPipe()
            let tool = try Tool(Self.lines, pipe: unread.pipe.fileHandleForWriting)
            try await unread.untilFull()
            tool.send(signal)
            defer { withExtendedLifetime(unread) {} }
            return await Self.end(of: tool)
        }
        // Its messages are not read either, so only the status shows the result: status 0, because a watch ends when
        // the user says so.
        #expect(result.status == 0)
    }

    @Test func aSecondSignalEndsItAtOnce() async throws {
        let unread = UnreadPipe()
        let tool = try Tool(Self.lines, pipe: unread.pipe.fileHandleForWriting)
        try await unread.untilFull()
        tool.send(SIGTERM)
        tool.send(SIGINT)
        let (result, _) = await Self.end(of: tool)
        withExtendedLifetime(unread) {}
        // If it waited for the reader it would end by itself, with status 0.
        #expect([128 + SIGINT, 128 + SIGTERM].contains(result.status))
    }

    /// A replay that waits for the writer of its pipe ends by itself when a signal asks for it, as every watch does.
    @Test func aReplayThatWaitsIsEnded() async throws {
        // The tool ends by itself, before it would be forced to.
        let result = try await Self.oneOfThree(within: .seconds(1.9)) {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
            defer { unlink(path) }
            try #require(mkfifo(path, 0o600) == 0)
            let watch = inotify_init1(Int32(IN_CLOEXEC))
            defer { close(watch) }
            try #require(inotify_add_watch(watch, path, UInt32(IN_OPEN)) >= 0)
            let tool = try Tool(["watch", "--replay", path])
            // The tool begins to read as soon as it has opened the pipe.
            var opened = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
            #expect(poll(&opened, 1, 30_000) == 1)
            let writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            #expect(writer >= 0)
            defer { close(writer) }
            tool.send(SIGTERM)
            return await Self.end(of: tool)
        }
        #expect(result.status == 0)
    }

    /// A thread that is blocked in a write into a full pipe cannot be cancelled. The process is ended by force when its
    /// time is over.
    @Test func aBlockedWriteIsEndedByForce() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
        defer { unlink(path) }
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(writer) }
        // Whole pages, so that no room is left in the last one.
        let page = [UInt8](repeating: 0, count: 4_096)
        while write(writer, page, page.count) > 0 {}
        let output = Pipe()
        let tool = try Tool(
            ["watch", "--backend", "embedded", "--gateway", "[fe80::1%none]:1", "--record", path],
            pipe: output.fileHandleForWriting
        )
        // The warning about the address is printed just before the first write into the pipe.
        _ = output.fileHandleForReading.availableData
        tool.send(SIGTERM)
        let (result, elapsed) = await Self.end(of: tool)
        withExtendedLifetime(output) {}
        #expect(result.status == 128 + SIGTERM)
        #expect(elapsed < .seconds(10), "expected after 1.9 s, plus the delays of a busy machine")
    }

    /// A probe that is interrupted prints the steps that are known by then.
    @Test func aProbeThatIsEndedTellsWhatItKnows() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #expect(bind(listener, $0, length) == 0 && listen(listener, 8) == 0)
                #expect(getsockname(listener, $0, &length) == 0)
            }
        }
        let tool = try Tool(["probe", "127.0.0.1:\(UInt16(bigEndian: address.sin_port))", "--timeout", "60"])
        // The server accepts the connection and says nothing, so that the probe waits for an answer.
        let connection = accept(listener, nil, nil)
        defer { close(connection) }
        var question = [UInt8](repeating: 0, count: 16)
        #expect(recv(connection, &question, question.count, 0) > 0)
        tool.send(SIGINT)
        let (result, _) = await Self.end(of: tool)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count { $0.hasSuffix(" connected") } == 1, "\(result.output)")
        // The question was given up before its own time limit, and no further question follows.
        #expect(!result.output.contains("no answer in 1 s"), "\(result.output)")
        #expect(lines.count { $0.hasPrefix("line ") || $0.hasPrefix("http ") } == 0, "\(result.output)")
        #expect(result.status == 130)
    }

    /// A gateway that is ended by a signal has done its work and has status 0, even if the signal arrives before the
    /// gateway begins to wait for one.
    @Test(arguments: [SIGINT, SIGTERM])
    func aGatewayRunsUntilItIsEnded(signal: Int32) async throws {
        let tool = try Tool(
            ["--no-advertise", "--port", "0", "--name", "Home", "--bot", "1=Jarvis:🤖"],
            of: Tool.gateway
        )
        let first = await tool.firstOutput()
        tool.send(signal)
        let (result, elapsed) = await Self.end(of: tool)
        #expect(first.hasPrefix("gateway \"Home\" listens on wss://127.0.0.1:"))
        #expect(first.contains(" (optaplus, 1 bot; Ctrl-C ends it)\ncertificate: sha256 "))
        let link = try #require(first.firstMatch(of: /pairing link: (.*)\n$/)?.output.1)
        #expect(try PairingTarget(PairingLink(parsing: String(link))).leaf != nil, "the link must prove the gateway")
        #expect(
            result.transcript.hasSuffix(
                "2> reference-gateway: it is not advertised: --no-advertise was given\n[exit status 0]\n"
            )
        )
        #expect(elapsed < .seconds(5))
    }
}
