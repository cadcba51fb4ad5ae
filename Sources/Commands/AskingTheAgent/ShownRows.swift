internal import Scanning
internal import Synchronization

/// The rows that a watch has shown last, for what is said after it has ended.
final class ShownRows: Sendable {
    private let rows = Mutex<[GatewayID: Gateway]>([:])

    /// The rows, sorted by their identifiers.
    var all: [Gateway] { rows.withLock { $0.values.sorted { $0.id < $1.id } } }

    /// Takes in an update.
    func take(_ update: ConstellationUpdate) {
        rows.withLock { rows in
            switch update {
            case .snapshot(let snapshot):
                rows = Dictionary(snapshot.gateways.map { ($0.id, $0) }) { first, _ in first }
            case .changes(let changes, _):
                for case .gateway(let change) in changes {
                    switch change {
                    case .found(let row), .changed(let row, _): rows[row.id] = row
                    case .lost(let row), .joined(let row, _): rows[row.id] = nil
                    case .problem: break
                    }
                }
            }
        }
    }
}
