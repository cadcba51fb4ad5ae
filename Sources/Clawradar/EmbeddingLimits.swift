/// The limits of all that a scanner holds and does inside another program, in one place.
///
/// Each has a default that suits a home and an office. A program with little memory lowers ``services`` and ``bots``; one that
/// must be quiet lowers ``checksPerSecond`` and ``heldConnections``.
public struct EmbeddingLimits: Hashable, Sendable {
    /// The most services that are followed, and the most that the map keeps; at least 1.
    public var services: Int

    /// The most bots of one gateway that are shown because it tells of them; paired ones are always shown. At least 0.
    public var bots: Int

    /// The most questions a second whether a gateway still answers, for all gateways together; at least 1.
    public var checksPerSecond: Int

    /// The most gateways to which a connection each is kept open for these questions; at least 0.
    public var heldConnections: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - services: 16,384.
    ///   - bots: 32.
    ///   - checksPerSecond: 20.
    ///   - heldConnections: 40.
    public init(services: Int = 16_384, bots: Int = 32, checksPerSecond: Int = 20, heldConnections: Int = 40) {
        self.services = max(services, 1)
        self.bots = max(bots, 0)
        self.checksPerSecond = max(checksPerSecond, 1)
        self.heldConnections = max(heldConnections, 0)
    }
}
