public import Constellation

/// Turns the updates of a map into what is worth telling. A value: no clock, no I/O.
///
/// A row is told as soon as it is known what it is, and not before: what has not been asked yet would be told as something
/// that it is not. News is any change other than of latency, of records, or between equal paths.
public struct GatewayFeed: Sendable {
    /// One thing to tell.
    public enum News: Hashable, Sendable {
        /// A row that was not told of before.
        case found(Gateway)

        /// A row, how it was when it was told of last, and the aspects that have changed since.
        case changed(Gateway, since: Gateway, Set<GatewayAspect>)

        /// A row as it was last; `into` is the row that has what it had, where that is told of.
        case lost(Gateway, into: Gateway?)

        /// An event that the map could not use.
        case problem(BotMapProblem)

        /// The row that the news is about.
        public var row: Gateway? {
            switch self {
            case .found(let row), .changed(let row, _, _), .lost(let row, _): row
            case .problem: nil
            }
        }
    }

    /// Indicates whether a person reads the news.
    private let isForPeople: Bool

    /// - Parameter isForPeople: Whether a person reads it, to whom a change of several things is one.
    public init(isForPeople: Bool = false) {
        self.isForPeople = isForPeople
    }

    /// The rows as they were when they were told of last.
    private var reported: [GatewayID: Gateway] = [:]

    /// Takes an update in.
    public mutating func take(_ update: MapUpdate) -> [News] {
        switch update {
        case .change(.found(let row), _), .change(.changed(let row, _), _):
            return show(row)
        case .change(.lost(let row, let id), _):
            return hide(row.id, as: row, into: id)
        case .change(.problem(let problem), _):
            return [.problem(problem)]
        case .snapshot(let snapshot):
            return snapshot.missedProblems.map(News.problem) + take(rows: snapshot.gateways)
        }
    }

    /// Takes in the whole map.
    public mutating func take(rows: [Gateway]) -> [News] {
        let present = Set(rows.map(\.id))
        let lost = reported.keys.filter { !present.contains($0) }.sorted().flatMap { hide($0, as: nil, into: nil) }
        return lost + rows.flatMap { show($0) }
    }

    /// Returns whether anything was told of a row.
    public func knows(_ row: Gateway) -> Bool { reported[row.id] != nil }

    private mutating func show(_ row: Gateway) -> [News] {
        guard let before = reported[row.id] else {
            guard row.isDecided else { return [] }
            reported[row.id] = row
            return [.found(row)]
        }
        let aspects = isForPeople ? row.newsForPeople(since: before) : row.news(since: before)
        guard !aspects.isEmpty else { return [] }
        reported[row.id] = row
        return [.changed(row, since: before, aspects)]
    }

    /// - Parameter last: The row as it was last, where that is known.
    private mutating func hide(_ id: GatewayID, as last: Gateway?, into other: GatewayID?) -> [News] {
        guard let row = reported.removeValue(forKey: id) else { return [] }
        guard let other else { return [.lost(last ?? row, into: nil)] }
        // What goes by another identifier from now on has changed, and is not lost.
        guard let known = reported[other] else {
            reported[other] = row
            return []
        }
        return row.isGateway ? [.lost(row, into: known)] : []
    }
}
