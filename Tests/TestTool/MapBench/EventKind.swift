/// A kind of event that can happen to a known gateway.
enum EventKind: String, CaseIterable {
    /// It answers a liveness check with another round-trip time. Nearly all events of a running scan are of this kind.
    case latency

    /// One of its endpoints stops or begins to answer liveness checks.
    case liveness

    /// It is reported again without a change.
    case foundSame = "found-same"

    /// Its TXT record has changed.
    case foundChanged = "found-changed"

    /// It is probed again, and gives the same answer.
    case probedSame = "probed-same"

    /// It is probed again, and lists other bots.
    case probedChanged = "probed-changed"

    /// Its service is lost, and found again: two events.
    case lostAndFound = "lost-and-found"

    /// A bot of it is paired, connects, disconnects, or is unpaired.
    case bot

    /// The number of events of this kind among a thousand of the mix.
    var share: UInt64 {
        switch self {
        case .latency: 900
        case .liveness: 20
        case .foundSame: 20
        case .foundChanged: 10
        case .probedSame: 20
        case .probedChanged: 10
        case .lostAndFound: 10
        case .bot: 10
        }
    }
}
