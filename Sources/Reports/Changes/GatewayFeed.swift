package import Scanning

/// A filter that turns the updates of a map into the changes that are worth reporting. A value: no clock, no I/O.
///
/// A row is reported as soon as it is known what it is, and not before: a row that has not been asked yet would be
/// reported as something that it is not. Every change is worth reporting except for changes of latency or records, and
/// swaps between equally good paths.
package struct GatewayFeed: Sendable {
    /// One change to report.
    package enum Change: Hashable, Sendable {
        /// A row that was not reported before.
        case found(Gateway)

        /// A row, its state when it was last reported, and the aspects that have changed since then.
        case changed(Gateway, since: Gateway, Set<GatewayAspect>)

        /// A row that is gone, in its last state.
        case lost(Gateway)

        /// A row that turned out to be another one that has been reported, in the states in which they were reported last.
        case joined(Gateway, into: Gateway)

        /// An event that the map could not use.
        case problem(BotMapProblem)

        /// The row that has changed; `nil` for a problem.
        package var row: Gateway? {
            switch self {
            case .found(let row), .changed(let row, _, _), .lost(let row), .joined(let row, _): row
            case .problem: nil
            }
        }
    }

    /// Indicates whether a person reads the changes.
    private let isForPeople: Bool

    /// Makes a feed.
    ///
    /// - Parameter isForPeople: Whether a person reads the changes. Then changes that matter only to programs are left
    ///   out, such as which of several paths answer.
    package init(isForPeople: Bool = false) {
        self.isForPeople = isForPeople
    }

    /// The state of each row when it was last reported.
    private var reported: [GatewayID: Gateway] = [:]

    /// Takes in an update, and returns the changes to report.
    package mutating func take(_ update: MapUpdate) -> [Change] {
        switch update {
        case .change(.found(let row), _), .change(.changed(let row, _), _):
            return show(row)
        case .change(.lost(let row), _):
            return hide(row.id, as: row, into: nil)
        case .change(.joined(let row, let id), _):
            return hide(row.id, as: row, into: id)
        case .change(.problem(let problem), _):
            return [.problem(problem)]
        case .snapshot(let snapshot):
            return snapshot.missedProblems.map(Change.problem) + take(rows: snapshot.gateways)
        }
    }

    /// Takes in the rows in an update of all that is shown, and returns the changes to report.
    package mutating func take(_ update: ConstellationUpdate) -> [Change] {
        switch update {
        case .snapshot(let snapshot): take(MapUpdate.snapshot(snapshot))
        case .changes(let changes, let revision):
            changes.flatMap { change -> [Change] in
                if case .gateway(let change) = change { take(.change(change, revision: revision)) } else { [] }
            }
        }
    }

    /// Takes in all rows of the map, and returns the changes to report. A row that is missing is lost.
    package mutating func take(rows: [Gateway]) -> [Change] {
        let present = Set(rows.map(\.id))
        let lost = reported.keys.filter { !present.contains($0) }.sorted().flatMap { hide($0, as: nil, into: nil) }
        return lost + rows.flatMap { show($0) }
    }

    /// Returns whether a row has been reported and is not lost since.
    package func hasReported(_ row: Gateway) -> Bool { reported[row.id] != nil }

    private mutating func show(_ row: Gateway) -> [Change] {
        guard let before = reported[row.id] else {
            guard row.isDecided else { return [] }
            reported[row.id] = row
            return [.found(row)]
        }
        let aspects = isForPeople ? row.aspectsForPeople(since: before) : row.reportableAspects(since: before)
        guard !aspects.isEmpty else { return [] }
        reported[row.id] = row
        return [.changed(row, since: before, aspects)]
    }

    /// - Parameter last: The last state of the row, if it is known.
    private mutating func hide(_ id: GatewayID, as last: Gateway?, into other: GatewayID?) -> [Change] {
        guard let row = reported.removeValue(forKey: id) else { return [] }
        guard let other else { return [.lost(last ?? row)] }
        // A row that only has a new identifier has changed, and is not lost.
        guard let known = reported[other] else {
            reported[other] = row
            return []
        }
        return row.isGateway ? [.joined(row, into: known)] : []
    }
}
