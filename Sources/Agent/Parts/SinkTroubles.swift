internal import Synchronization

/// The reasons why messages do not reach sinks, as the state of the part.
final class SinkTroubles: Sendable {
    /// The key for the troubles of sinks that the settings do not have. No sink can have this name.
    static let unclaimedName = "?"

    /// The name under which the trouble of the history is kept.
    static let historyName = "!"

    /// The name under which it is kept what in the settings leads nowhere.
    static let doubtName = "*"

    /// The key for the messages that are held back, since enough were told within the hour. No sink can have this name either.
    static let heldName = "%"

    private let reporter: PartReporter
    private let troubles = Mutex<[String: String]>([:])

    init(_ reporter: PartReporter) {
        self.reporter = reporter
    }

    func set(_ trouble: String?, of sink: String) {
        troubles.withLock { troubles in
            guard troubles[sink] != trouble else { return }
            troubles[sink] = trouble
            let all = troubles.sorted { $0.key < $1.key }.map(\.value)
            reporter.works(except: all.isEmpty ? nil : all.joined(separator: "; "))
        }
    }
}
