internal import Constellation
internal import GatewayReports
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Writes events to a file as they come, each at once: what was recorded outlives a crash.
///
/// All members may be used from anywhere.
final class Recorder: Sendable {
    private struct State {
        var failure: RecordingError?
    }

    private let path: String
    private let descriptor: Int32
    private let start = ContinuousClock.now

    /// The stream of the error that stopped the recording; nothing before that.
    let failures: AsyncStream<RecordingError>
    private let fail: AsyncStream<RecordingError>.Continuation

    /// Held while writing, so that lines stay whole and in the order of their times.
    private let state = Mutex(State())

    /// Begins a recording. A file that is there is replaced; nobody else can read the new one, where the file system has
    /// modes.
    init(path: String, startedAt: Timestamp) throws(RecordingError) {
        (self.failures, self.fail) = AsyncStream.makeStream()
        self.path = path
        self.descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw RecordingError(path: path, line: nil, message: "cannot be written: \(Self.reason)")
        }
        // The mode given to open(2) is for a file that was not there.
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG { _ = fchmod(descriptor, 0o600) }
        write(RecordingHeader(startedAt: startedAt).line)
        if let failure { throw failure }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Writes an event. After a failure it does nothing more.
    func take(_ event: BotMapEvent) {
        write(RecordedEvent(at: start.duration(to: .now), event: event).line)
    }

    /// The error that stopped the recording; `nil` while it goes on.
    var failure: RecordingError? { state.withLock { $0.failure } }

    private func write(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.failure == nil else { return }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { SystemCalls.write(descriptor, $0) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else {
                    let message = "cannot be written: \(Self.reason)"
                    let failure = RecordingError(path: path, line: nil, message: message)
                    state.failure = failure
                    fail.yield(failure)
                    return
                }
                rest = rest.dropFirst(count)
            }
        }
    }

    private static var reason: String { String(cString: strerror(errno)) }
}
