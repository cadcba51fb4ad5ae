/// The limits on how much is received from a peer that nobody knows, and on the time that it takes.
public struct ConnectionLimits: Hashable, Sendable {
    /// The most bytes of one frame, of one message out of fragments, and of one line.
    public var frameBytes: Int

    /// The most bytes that are received over one connection, whatever they are; then it is closed.
    public var connectionBytes: Int

    /// The deepest nesting of JSON.
    public var depth: Int

    /// The most WebSocket frames and lines that are received between two messages or pings of ours: an empty frame is two
    /// bytes, so that bytes alone are no limit.
    public var frames: Int

    /// The time that connecting may take. One packet that is lost is sent again after a second (RFC 6298 §2.1).
    public var connecting: Duration

    /// The time that each step on a connection may take: the TLS handshake, and all that is said afterwards. On a slow
    /// way it is more, see ``duration(after:)``.
    public var duration: Duration

    /// - Parameters:
    ///   - frameBytes: 64 KiB, as a gateway itself takes.
    ///   - connectionBytes: 1 MiB.
    ///   - depth: 32.
    ///   - frames: 64.
    ///   - connecting: 2 s.
    ///   - duration: 1 s.
    public init(
        frameBytes: Int = 65_536,
        connectionBytes: Int = 1_048_576,
        depth: Int = 32,
        frames: Int = 64,
        connecting: Duration = .seconds(2),
        duration: Duration = .seconds(1)
    ) {
        self.frameBytes = frameBytes
        self.connectionBytes = connectionBytes
        self.depth = depth
        self.frames = frames
        self.connecting = connecting
        self.duration = duration
    }

    /// The number of round trips that a step is given at least: an upgrade and a question are two, and one packet may
    /// be lost.
    static let roundTrips = 5

    /// Returns the time that a step may take, given the time that connecting took.
    ///
    /// Round trips of 400 ms and more are everyday: satellites, another continent, a process that is busy.
    public func duration(after connecting: Duration) -> Duration { max(duration, connecting * Self.roundTrips) }
}
