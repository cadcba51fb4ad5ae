internal import Constellation
internal import GatewayReports

/// The content of a live table of gateways. A value: no clock, no I/O.
struct GatewayBoard {
    /// The reason why a row is gone: there is only one.
    enum Loss: Hashable {
        case left
    }

    /// A mark that says what has happened to a row recently.
    typealias Mark = MarkBoard<GatewayID, Gateway, Loss>.Mark

    private var board = MarkBoard<GatewayID, Gateway, Loss>(markTime: WatchBoard.markTime)

    /// Folds an update in.
    mutating func apply(_ update: MapUpdate, now: ContinuousClock.Instant) {
        switch update {
        case .change(.found(let row), _):
            board.found(row, row.id, now: now)
        case .change(.changed(let row, _), _):
            show(row, now: now)
        case .change(.lost(let row, nil), _):
            board.lost(row, row.id, .left, now: now)
        case .change(.lost(let row, .some), _):
            // Another row shows what it showed.
            board.remove(row.id)
        case .change(.problem, _):
            break
        case .snapshot(let snapshot):
            let present = Set(snapshot.gateways.map(\.id))
            for row in board.rows.values where row.isPresent && !present.contains(row.value.id) {
                board.lost(row.value, row.value.id, .left, now: now)
            }
            for row in snapshot.gateways { show(row, now: now) }
        }
    }

    private mutating func show(_ row: Gateway, now: ContinuousClock.Instant) {
        guard let known = board.rows[row.id], known.isPresent else {
            board.found(row, row.id, now: now)
            return
        }
        // Each answer takes another time.
        if row.news(since: known.value).isEmpty {
            board.replace(row, row.id)
        } else {
            // That it does not answer any more is the news, and not that it has come.
            let hasTurned = known.value.liveness == .answering && row.liveness != .answering
            board.changed(row, row.id, staysNew: !hasTurned, now: now)
        }
    }

    /// The time at which the next mark ends; `nil` when there is no mark.
    var nextMarkEnds: ContinuousClock.Instant? { board.nextMarkEnds }

    /// Takes off the marks whose time is over, and what has left with them.
    ///
    /// - Returns: Whether anything looks different now.
    mutating func expire(now: ContinuousClock.Instant) -> Bool { board.expire(now: now) }

    /// Returns the mark that says what has happened to a row recently.
    func mark(of row: Gateway) -> Mark? { board.rows[row.id]?.mark }

    /// The rows, those that have left included.
    var all: [Gateway] { board.rows.values.map(\.value) }

    /// Those that are present.
    var present: [Gateway] { board.rows.values.filter(\.isPresent).map(\.value) }
}
