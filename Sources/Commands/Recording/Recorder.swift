internal import Reports
internal import Scanning
internal import Synchronization
internal import SystemPackage

/// Writes each event to a file as soon as it occurs, so that a crash does not lose recorded events.
///
/// All members may be used from anywhere.
final class Recorder: Sendable {
    private struct State {
        var failure: RecordingError?
    }

    private let path: String
    private let descriptor: FileDescriptor
    private let start = ContinuousClock.now

    /// A stream of at most one element, the error that stopped the recording.
    let failures: AsyncStream<RecordingError>
    private let fail: AsyncStream<RecordingError>.Continuation

    /// Locked while writing, so that the lines stay whole.
    private let state = Mutex(State())

    /// Begins a recording. An existing file is replaced; other users cannot read the new one, if the file system
    /// supports permissions.
    init(path: String, startedAt: Timestamp) throws(RecordingError) {
        (self.failures, self.fail) = AsyncStream.makeStream()
        self.path = path
        do {
            // Nonblocking, because opening a pipe without a reader would otherwise wait for one.
            self.descriptor = try .open(
                path,
                .writeOnly,
                options: [.create, .truncate, .closeOnExec, .nonBlocking],
                permissions: .ownerReadWrite
            )
        } catch Errno.noSuchAddressOrDevice {
            let message = "expected a file or a pipe that is read, found a pipe that nobody reads"
            throw RecordingError(path: path, line: nil, message: message)
        } catch {
            throw Self.failure(path, error)
        }
        SystemCalls.makeBlocking(descriptor)
        SystemCalls.makePrivate(descriptor)
        write { RecordingHeader(startedAt: startedAt).line }
        if let failure { throw failure }
    }

    deinit {
        try? descriptor.close()
    }

    /// Writes an event. After a failure it does nothing more.
    func take(_ event: BotMapEvent) {
        // The time is taken under the lock, so that the lines of concurrent callers are in the order of their times.
        write { RecordedEvent(at: self.start.duration(to: .now), event: event).line }
    }

    /// The error that stopped the recording; `nil` while it goes on.
    var failure: RecordingError? { state.withLock { $0.failure } }

    private func write(_ line: () -> [UInt8]) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do {
                try descriptor.writeAll(line())
            } catch {
                let failure = Self.failure(path, error)
                state.failure = failure
                fail.yield(failure)
            }
        }
    }

    private static func failure(_ path: String, _ error: any Error) -> RecordingError {
        RecordingError(path: path, line: nil, message: "cannot be written: \(error)")
    }
}
