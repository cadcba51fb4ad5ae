import Logging

/// A log handler that passes on each logged line as it comes.
struct LogLines: LogHandler {
    /// The lines. One reader at a time.
    let lines: AsyncStream<String>

    private let continuation: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    init() {
        (lines, continuation) = AsyncStream.makeStream()
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        continuation.yield("\(event.message)")
    }
}
