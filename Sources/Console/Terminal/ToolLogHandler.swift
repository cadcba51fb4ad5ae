internal import DNSSD
package import Logging

/// Log lines for `--verbose`, on standard error.
package struct ToolLogHandler: LogHandler {
    package var logLevel = Logger.Level.debug
    package var metadata = Logger.Metadata()

    package init() {}

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        // Cleaned, because log lines can contain names from the network.
        let text = DisplayText("\(event.message)\(details)", limit: 2_000)
        Notes.write("\(TimeText.now) \(event.level): \(text)\n")
    }
}
