/// A kind of event that can happen to a known gateway.
enum EventKind: String, CaseIterable {
    /// It answers, in another time than before: nearly all there is to hear while somebody watches.
    case latency

    /// It answers on another of its endpoints, or stops, or begins again.
    case liveness

    /// It is found again, and nothing about it is new.
    case foundSame = "found-same"

    /// Its TXT record has changed.
    case foundChanged = "found-changed"

    /// It was asked again, and says the same.
    case probedSame = "probed-same"

    /// It was asked again, and its bots are others.
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
