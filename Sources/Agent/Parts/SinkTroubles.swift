internal import Synchronization

/// The reasons why messages do not reach sinks, as the state of the part.
final class SinkTroubles: Sendable {
    /// Where the troubles of sinks are that the settings do not have. No sink can have this name.
    static let unclaimedName = "?"

    private let reporter: PartReporter
    private let troubles = Mutex<[String: String]>([:])

    init(_ reporter: PartReporter) {
        self.reporter = reporter
    }

    func set(_ trouble: String?, of sink: String) {
        troubles.withLock { troubles in
            troubles[sink] = trouble
            let all = troubles.sorted { $0.key < $1.key }.map(\.value)
            reporter.works(except: all.isEmpty ? nil : all.joined(separator: "; "))
        }
    }
}
