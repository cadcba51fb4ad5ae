internal import Constellation

/// The last answers of gateways, as far as the map shows them. A value.
struct LastAnswers: Sendable {
    /// The times of the answers that were heard: each answer has a round-trip time of its own. A session does not report
    /// all of its.
    private(set) var times: [GatewayID: ContinuousClock.Instant] = [:]

    /// The gateways whose first way has left a question unanswered, while no other way has answered since. The row counts
    /// them as answering until all of their ways were asked.
    private(set) var doubted: Set<GatewayID> = []

    /// The gateways whose first way was suspect when they were last shown.
    private var suspects: Set<GatewayID> = []

    /// Takes in an update of the map.
    mutating func note(_ update: ConstellationUpdate, at now: ContinuousClock.Instant) {
        switch update {
        case .snapshot(let snapshot):
            self = LastAnswers()
            for row in snapshot.gateways { note(row, isAnswer: true, at: now) }
        case .changes(let changes, revision: _):
            for case .gateway(let change) in changes {
                switch change {
                case .found(let row): note(row, isAnswer: true, at: now)
                case .changed(let row, let aspects): note(row, isAnswer: aspects.contains(.latency), at: now)
                case .lost(let row, into: _): forget(row.id)
                case .problem: break
                }
            }
        }
    }

    private mutating func note(_ row: Gateway, isAnswer: Bool, at now: ContinuousClock.Instant) {
        if row.paths.first(where: \.leads)?.liveness != .suspect {
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
