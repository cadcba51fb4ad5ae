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

    /// The rolling limit on bytes, whatever they are; more of them than it allows is a flood. `nil` for none.
    public var byteRate: Rate?

    /// The rolling limit on WebSocket frames; more of them than it allows is a flood. `nil` for none.
    public var frameRate: Rate?

    /// The time that a message may take to become whole, once it takes a share of the memory that all connections have for
    /// that; the time in which nothing is read does not count.
    public var assembling: Duration

    /// The bytes of a ``GatewayConversation`` that wait to be taken when nothing more is read: besides one message, and the
    /// 64 KiB that the connection itself holds.
    public var undeliveredBytes: Int

    /// The most requests that wait for their answers at once.
    public var pendingRequests: Int

    /// The most bytes that wait to be sent before a request is refused.
    public var unsentBytes: Int

    /// A rolling limit: so much at once, and so much again in each second.
    public struct Rate: Hashable, Sendable {
        /// The most at once.
        public var burst: Int

        /// The amount that may come again in each second.
        public var perSecond: Int

        /// - Parameters:
        ///   - burst: At least 1.
        ///   - perSecond: At least 1.
        public init(burst: Int, perSecond: Int) {
            self.burst = max(burst, 1)
            self.perSecond = max(perSecond, 1)
        }
    }

    /// The limits of a gateway probe and of a liveness check: little, and soon.
    public static let probe = ConnectionLimits()

    /// The limits of a conversation that goes on for days: no limit on all of its bytes, and rolling ones instead.
    ///
    /// A gateway may answer with its whole history, in a message of up to 16 MiB; and what a busy one says of itself is
    /// far from these rates.
    public static let session = ConnectionLimits(
        frameBytes: 16 << 20,
        connectionBytes: .max,
        depth: 128,
        frames: .max,
        connecting: .seconds(5),
        duration: .seconds(5),
        byteRate: Rate(burst: 64 << 20, perSecond: 8 << 20),
        frameRate: Rate(burst: 4_096, perSecond: 512)
    )

    /// - Parameters:
    ///   - frameBytes: 64 KiB, as a gateway itself takes.
    ///   - connectionBytes: 1 MiB.
    ///   - depth: 32.
    ///   - frames: 64.
    ///   - connecting: 2 s.
    ///   - duration: 1 s.
    ///   - byteRate: None.
    ///   - frameRate: None.
    ///   - assembling: 2 min: 16 MiB over a link of 1.2 Mbit/s.
    ///   - undeliveredBytes: 192 KiB.
    ///   - pendingRequests: 64.
    ///   - unsentBytes: 1 MiB.
    public init(
        frameBytes: Int = 65_536,
        connectionBytes: Int = 1_048_576,
        depth: Int = 32,
        frames: Int = 64,
        connecting: Duration = .seconds(2),
        duration: Duration = .seconds(1),
        byteRate: Rate? = nil,
        frameRate: Rate? = nil,
        assembling: Duration = .seconds(120),
        undeliveredBytes: Int = 196_608,
        pendingRequests: Int = 64,
        unsentBytes: Int = 1_048_576
    ) {
        self.frameBytes = frameBytes
        self.connectionBytes = connectionBytes
        self.depth = depth
        self.frames = frames
        self.connecting = connecting
        self.duration = duration
        self.byteRate = byteRate
        self.frameRate = frameRate
        self.assembling = assembling
        self.undeliveredBytes = undeliveredBytes
        self.pendingRequests = pendingRequests
        self.unsentBytes = unsentBytes
    }

    /// The number of round trips that a step is given at least: an upgrade and a question are two, and one packet may
    /// be lost.
    static let roundTrips = 5

    /// Returns the time that a step may take, given the time that connecting took.
    ///
    /// Round trips of 400 ms and more are everyday: satellites, another continent, a process that is busy.
    public func duration(after connecting: Duration) -> Duration { max(duration, connecting * Self.roundTrips) }
}
