/// An update that a reader of a ``Constellation`` gets.
public enum MapUpdate: Hashable, Sendable {
    /// The whole map: first of all, and whenever the reader was too slow to get every change.
    case snapshot(MapSnapshot)

    /// One change since the last element.
    case change(BotMapChange)
}
