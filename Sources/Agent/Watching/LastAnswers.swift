internal import DNSSD
internal import Scanning

/// The last answers of gateways, and the gateways of which one is missing though their rows count as answering. A value.
struct LastAnswers: Sendable {
    /// The times of the last answers of endpoints.
    var times: [Endpoint: ContinuousClock.Instant] = [:]

    /// The time before a way is seen to be suspect in which its first question was left unanswered, at which the other ways
    /// are asked.
    private static let advance = Duration.milliseconds(1_500)

    /// The gateways whose session has left a question unanswered, or whose first way, if there is no session, with the time
    /// at which that was first seen.
    private var suspects: [GatewayID: ContinuousClock.Instant] = [:]

    /// The places of the sessions, by their identifiers.
    private var places: [String: String] = [:]

    /// Returns the time of the last answer of a gateway, over any of its ways; `nil` if that is not known.
    func time(of row: Gateway) -> ContinuousClock.Instant? { row.ownPlaces.compactMap { times[$0] }.max() }

    /// Indicates whether the way that counts is silent, and no other way has answered since. The row counts as answering
    /// until all of its ways were asked.
    func doubts(_ row: Gateway) -> Bool {
        guard let since = suspects[row.id] else { return false }
        return time(of: row).map { $0 <= since - Self.advance } ?? true
    }

    /// Takes in an update of the map.
    mutating func note(_ update: ConstellationUpdate, at now: ContinuousClock.Instant) {
        switch update {
        case .snapshot(let snapshot):
            self = LastAnswers()
            for session in snapshot.sessions { note(session) }
            for row in snapshot.gateways { note(row, at: now) }
        case .changes(let changes, revision: _):
            for change in changes {
                switch change {
                case .gateway(.found(let row)), .gateway(.changed(let row, _)): note(row, at: now)
                case .gateway(.lost(let row)), .gateway(.joined(let row, _)): suspects[row.id] = nil
                case .session(.found(let session)), .session(.changed(let session)): note(session)
                case .session(.lost(let session, _)): places[session.id] = nil
                case .gateway(.problem), .service, .backend: break
                }
            }
        }
    }

    private mutating func note(_ session: ShownSession) {
        places[session.id] = session.state == .connected ? session.path : nil
    }

    private mutating func note(_ row: Gateway, at now: ContinuousClock.Instant) {
        let places = places.values
        let way =
            row.paths.first { places.contains($0.endpoint.description) }
            ?? row.paths.first { $0.leads && $0.counts } ?? row.paths.first(where: \.counts)
        suspects[row.id] = way?.liveness == .suspect ? suspects[row.id] ?? now : nil
    }
}
