/// An update that a reader of the rows of a ``Constellation`` gets.
@nonexhaustive
public enum MapUpdate: Hashable, Sendable {
    /// All rows: as the first update, and whenever the reader was too slow to get every change.
    case snapshot(ConstellationSnapshot)

    /// One change since the last element, and the revision that it led to. Changes from events that were applied together
    /// share one.
    case change(BotMapChange, revision: UInt64)

    /// The revision after this update. It never decreases, and may grow by any number. A reader that has a snapshot from
    /// elsewhere, see ``Constellation/snapshot``, skips updates whose revision is not above the snapshot's.
    public var revision: UInt64 {
        switch self {
        case .snapshot(let snapshot): snapshot.revision
        case .change(_, let revision): revision
        }
    }
}
