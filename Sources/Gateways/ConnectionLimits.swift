/// How much of a peer that nobody knows is taken in, and for how long.
public struct ConnectionLimits: Hashable, Sendable {
    /// The most bytes of one frame, of one message out of fragments, and of one line.
    public var frameBytes: Int

    /// The most bytes that are received over one connection, whatever they are; then it is closed.
    public var connectionBytes: Int

    /// The deepest nesting of JSON.
    public var depth: Int

    /// From the first packet on, how long a connection may take, with all that is said over it.
    public var duration: Duration

    /// - Parameters:
    ///   - frameBytes: 64 KiB, as a gateway itself takes.
    ///   - connectionBytes: 1 MiB.
    ///   - depth: 32.
    ///   - duration: 1 s.
    public init(
        frameBytes: Int = 65_536,
        connectionBytes: Int = 1_048_576,
        depth: Int = 32,
        duration: Duration = .seconds(1)
    ) {
        self.frameBytes = frameBytes
        self.connectionBytes = connectionBytes
        self.depth = depth
        self.duration = duration
    }
}
