internal import Constellation
internal import DNSSD

/// The last answers of gateways, as far as the map shows them. A value.
struct LastAnswers: Sendable {
    /// The times of the answers that were heard: each answer has a round-trip time of its own. A session does not report
    /// all of its.
    private(set) var times: [GatewayID: ContinuousClock.Instant] = [:]

    /// The gateways whose session has left a question unanswered, or whose first way, if there is no session, while no other
    /// way has answered since. The row counts them as answering until all of their ways were asked.
    private(set) var doubted: Set<GatewayID> = []

    /// The gateways of which that way was suspect when they were last shown.
    private var suspects: Set<GatewayID> = []

    /// The places of the sessions, by their identifiers.
    private var places: [String: String] = [:]

    /// Takes in an update of the map.
    mutating func note(_ update: ConstellationUpdate, at now: ContinuousClock.Instant) {
        switch update {
        case .snapshot(let snapshot):
            self = LastAnswers()
            for session in snapshot.sessions { note(session) }
            for row in snapshot.gateways { note(row, isAnswer: true, at: now) }
        case .changes(let changes, revision: _):
            for change in changes {
                switch change {
                case .gateway(.found(let row)): note(row, isAnswer: true, at: now)
                case .gateway(.changed(let row, let aspects)):
                    note(row, isAnswer: aspects.contains(.latency), at: now)
                case .gateway(.lost(let row, into: _)): forget(row.id)
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

    private mutating func note(_ row: Gateway, isAnswer: Bool, at now: ContinuousClock.Instant) {
        let places = places.values
        let way = row.paths.first { places.contains($0.endpoint.description) } ?? row.paths.first(where: \.leads)
        if way?.liveness != .suspect {
            suspects.remove(row.id)
            doubted.remove(row.id)
        } else if suspects.insert(row.id).inserted {
            doubted.insert(row.id)
        }
        guard isAnswer, row.liveness == .answering else { return }
        times[row.id] = now
        doubted.remove(row.id)
    }

    private mutating func forget(_ row: GatewayID) {
        times[row] = nil
        suspects.remove(row)
        doubted.remove(row)
    }
}
