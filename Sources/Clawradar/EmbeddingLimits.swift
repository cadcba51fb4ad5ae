/// The limits that a program sets for a scanner that it embeds, in one place.
///
/// Everything that a scanner stores and sends is bounded, but most of its limits are fixed. The guide of this module
/// lists them.
///
/// The defaults suit a home or an office. A program with little memory lowers ``services`` and ``bots``; one that must
/// cause little traffic lowers ``checksPerSecond`` and ``heldConnections``.
public struct EmbeddingLimits: Hashable, Sendable {
    /// The maximum number of services that are followed, and that the map keeps; at least 1.
    public var services: Int

    /// The maximum number of bots that are shown of those that one gateway reports; paired bots are always shown. At
    /// least 0.
    public var bots: Int

    /// The maximum number of liveness checks a second, for all gateways together; at least 1.
    public var checksPerSecond: Int

    /// The maximum number of connections that are kept open for liveness checks; at least 0. Where none is left, each check
    /// opens a connection of its own.
    public var heldConnections: Int

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - services: See ``services``; 16,384 by default.
    ///   - bots: See ``bots``; 32 by default.
    ///   - checksPerSecond: See ``checksPerSecond``; 20 by default.
    ///   - heldConnections: See ``heldConnections``; 64 by default.
    public init(services: Int = 16_384, bots: Int = 32, checksPerSecond: Int = 20, heldConnections: Int = 64) {
        self.services = max(services, 1)
        self.bots = max(bots, 0)
        self.checksPerSecond = max(checksPerSecond, 1)
        self.heldConnections = max(heldConnections, 0)
    }
}
