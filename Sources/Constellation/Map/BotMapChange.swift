/// One change of the map. All changes, applied in order, lead from one picture to the next.
public enum BotMapChange: Hashable, Sendable {
    /// A row that was not there.
    case found(Gateway)

    /// The same row, and what is new about it.
    case changed(Gateway, Set<GatewayAspect>)

    /// A row that is there no more, as it was last; `into` is the row that has what it had, if it only goes by another
    /// identifier from now on or has turned out to be that one.
    case lost(Gateway, into: GatewayID?)

    /// An event could not be followed. The map is as it was.
    ///
    /// Indirect: there are few of them, and they are the largest.
    indirect case problem(BotMapProblem)
}
