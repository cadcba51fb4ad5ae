internal import Console
internal import DNSSD
internal import Glibc
internal import Logging

/// The log lines of an agent, on standard error: under systemd each with its priority (sd-daemon(3)) and without the time,
/// which the journal adds itself.
struct AgentLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata = Logger.Metadata()

    /// Indicates whether the lines go to the journal.
    private let isJournal: Bool
    private let writer: LogWriter

    /// Makes the logger of an agent.
    static func logger(isVerbose: Bool, _ writer: LogWriter) -> Logger {
        let isJournal = Self.isJournal(STDERR_FILENO, Environment.values(of: ["JOURNAL_STREAM"])["JOURNAL_STREAM"])
        return Logger(label: "clawradar") { _ in
            AgentLogHandler(isVerbose ? .debug : .info, isJournal: isJournal, writer)
        }
    }

    /// Indicates whether a descriptor leads to the journal. The programs of a terminal that a service manager has started
    /// have the variable, too: it names the device and the number of the file that is meant (systemd.exec(5)).
    static func isJournal(_ descriptor: Int32, _ stream: String?) -> Bool {
        var status = stat()
        return stream != nil && fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }

    init(_ level: Logger.Level, isJournal: Bool, _ writer: LogWriter) {
        self.logLevel = level
        self.isJournal = isJournal
        self.writer = writer
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let details = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        writer.write(Self.line("\(event.message)\(details)", event.level, isJournal: isJournal, time: TimeText.now))
    }

    /// Returns a line, with everything cleaned that may be a name from the network.
    static func line(_ text: String, _ level: Logger.Level, isJournal: Bool, time: String) -> String {
        let text = DisplayText(text, limit: 2_000)
        return isJournal ? "<\(priority(level))>\(text)\n" : "\(time) \(level): \(text)\n"
    }

    /// Returns the priority of syslog(3).
    private static func priority(_ level: Logger.Level) -> Int {
        switch level {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
