internal import Scanning

/// The paired gateways that have not answered since they were shown. A value: no clock, no I/O.
///
/// Such a gateway is being asked at first. It is away once it was looked for, which no change of its row says.
struct SilentGateways: Sendable {
    private var rows: [GatewayID: Gateway] = [:]

    /// Those that were said to be away.
    private var told: Set<GatewayID> = []

    /// Indicates whether the first look for gateways is over.
    private(set) var hasLooked = false

    init() {}

    mutating func noteLooked() { hasLooked = true }

    /// Takes in an update.
    mutating func take(_ update: ConstellationUpdate) {
        switch update {
        case .snapshot(let snapshot):
            rows = [:]
            told.formIntersection(snapshot.gateways.map(\.id))
            for row in snapshot.gateways { note(row) }
        case .changes(let changes, _):
            for case .gateway(let change) in changes {
                switch change {
                case .found(let row), .changed(let row, _): note(row)
                case .lost(let row), .joined(let row, _): forget(row.id)
                case .problem: break
                }
            }
        }
    }

    private mutating func note(_ row: Gateway) {
        if row.isPaired, row.liveness == nil { rows[row.id] = row } else { forget(row.id) }
    }

    private mutating func forget(_ id: GatewayID) {
        rows[id] = nil
        told.remove(id)
    }

    /// Returns those that have turned out to be away since the last call, sorted by their identifiers.
    mutating func takeAway() -> [Gateway] {
        guard hasLooked else { return [] }
        let news = rows.values.filter { $0.isAsked && !told.contains($0.id) }.sorted { $0.id < $1.id }
        told.formUnion(news.map(\.id))
        return news
    }
}
