internal import Synchronization
internal import Telling

/// The reasons why messages do not reach sinks, as the state of the part.
final class SinkTroubles: Sendable {
    /// Where the troubles of sinks are that the settings do not have. No sink can have this name.
    private static let unclaimedName = "?"

    private let reporter: PartReporter
    private let troubles = Mutex<[String: String]>([:])

    /// The messages that wait for such sinks, and those that were given up since the settings have changed.
    private let unclaimed = Mutex(UnclaimedMessages())

    init(_ reporter: PartReporter) {
        self.reporter = reporter
    }

    /// Takes in what waits for sinks that the settings do not have.
    ///
    /// - Parameter isNew: Indicates whether the sinks of the settings have changed.
    func note(_ found: UnclaimedMessages, isNew: Bool) {
        let trouble = unclaimed.withLock { unclaimed in
            var now = found
            // The user has to see it, and may look tomorrow.
            if !isNew { now.givenUp.merge(unclaimed.givenUp, uniquingKeysWith: +) }
            unclaimed = now
            return now.trouble
        }
        set(trouble, of: Self.unclaimedName)
    }

    func set(_ trouble: String?, of sink: String) {
        troubles.withLock { troubles in
            troubles[sink] = trouble
            let all = troubles.sorted { $0.key < $1.key }.map(\.value)
            reporter.works(except: all.isEmpty ? nil : all.joined(separator: "; "))
        }
    }
}
