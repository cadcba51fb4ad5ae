/// An update that a reader of a ``Constellation`` gets.
public enum MapUpdate: Hashable, Sendable {
    /// The whole map: as the first update, and whenever the reader was too slow to get every change.
    case snapshot(MapSnapshot)

    /// One change since the last element, and the revision of the map that it led to. Changes from events that were
    /// applied together share one.
    case change(BotMapChange, revision: UInt64)

    /// The revision of the map after this update. It never decreases, and may grow by any number. A reader that has a
    /// snapshot from elsewhere, see ``Constellation/Constellation/snapshot``, skips updates whose revision is not above
    /// the snapshot's.
    public var revision: UInt64 {
        switch self {
        case .snapshot(let snapshot): snapshot.revision
        case .change(_, let revision): revision
        }
    }
}

/// The whole map at one moment.
public struct MapSnapshot: Hashable, Sendable {
    /// The revision of the map that it shows: every change of the same or a lower revision is in it.
    public let revision: UInt64

    /// The gateways with their bots, sorted by their identifiers. A gateway that was known before and is not in here is
    /// gone.
    public let gateways: [Gateway]

    /// The last problems among the changes that this snapshot replaces, since the gateways do not show them.
    public let missedProblems: [BotMapProblem]
}
