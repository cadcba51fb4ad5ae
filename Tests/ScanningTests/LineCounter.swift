import Logging
import Synchronization

/// Counts the log messages that contain a text.
final class LineCounter: Sendable {
    private struct Handler: LogHandler {
        let counter: LineCounter
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { counter.read("\(event.message)") }
    }

    private let text: String
    private let lines = Mutex(0)

    init(of text: String) {
        self.text = text
    }

    var count: Int { lines.withLock(\.self) }

    /// The log handler that counts.
    var handler: some LogHandler { Handler(counter: self) }

    private func read(_ line: String) {
        if line.contains(text) { lines.withLock { $0 += 1 } }
    }
}
