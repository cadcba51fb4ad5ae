/// The whole map at one moment.
public struct MapSnapshot: Hashable, Sendable {
    /// The revision of the map that it shows: every change of the same or a lower revision is in it.
    public let revision: UInt64

    /// The gateways with their bots, sorted by their identifiers. What was known before and is not in here is gone.
    public let gateways: [Gateway]

    /// The last problems among the changes that this snapshot stands for: no picture shows them.
    public let missedProblems: [BotMapProblem]
}
