import Logging

/// A log handler that passes each logged line on to a stream.
struct LogLines: LogHandler {
    /// The logged lines, for one reader at a time.
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
