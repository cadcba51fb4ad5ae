/// The limits on how much is received from an untrusted peer, and on how long that may take.
package struct ConnectionLimits: Hashable, Sendable {
    /// The most bytes of a frame, of a message made of fragments, and of a line.
    package var frameBytes: Int

    /// The most bytes of any kind that are received over one connection; after that, it is closed.
    package var connectionBytes: Int

    /// The deepest nesting of JSON.
    package var depth: Int

    /// The most WebSocket frames and lines that are received between two messages or pings of ours: an empty frame has
    /// two bytes, so a limit on bytes alone is not enough.
    package var frames: Int

    /// The time that connecting may take. A lost packet is sent again after a second (RFC 6298 §2.1).
    package var connecting: Duration

    /// The time that each step on a connection may take: the TLS handshake, and the whole exchange after it. On a slow
    /// path a step may take longer, see ``duration(after:)``.
    package var duration: Duration

    /// The rolling limit on bytes of any kind; more bytes than it allows are a flood. `nil` for no limit.
    package var byteRate: Rate?

    /// The rolling limit on WebSocket frames; more frames than it allows are a flood. `nil` for no limit.
    package var frameRate: Rate?

    /// The time that a message may take to become complete, once it takes memory from the budget that all connections
    /// share for incomplete messages. Time in which nothing is read does not count.
    package var assembling: Duration

    /// The number of bytes waiting to be taken from a ``GatewayConversation`` at which reading stops. One more message,
    /// and the 64 KiB that the connection itself buffers, come on top.
    package var undeliveredBytes: Int

    /// The most requests that may wait for their answers at once.
    package var pendingRequests: Int

    /// The most bytes that wait to be sent before a request is refused.
    package var unsentBytes: Int

    /// A rolling limit: an amount that may come at once, and an amount that is added in each second.
    package struct Rate: Hashable, Sendable {
        /// The amount that may come at once, at least 1.
        package var burst: Int {
            didSet { burst = max(burst, 1) }
        }

        /// The amount that is added in each second, at least 1.
        package var perSecond: Int {
            didSet { perSecond = max(perSecond, 1) }
        }

        /// Creates a rolling limit; a smaller number than 1 counts as 1.
        ///
        /// - Parameters:
        ///   - burst: At least 1.
        ///   - perSecond: At least 1.
        package init(burst: Int, perSecond: Int) {
            self.burst = max(burst, 1)
            self.perSecond = max(perSecond, 1)
        }
    }

    /// The limits of a gateway probe and of a liveness check: few bytes, and little time.
    package static let probe = ConnectionLimits()

    /// The limits of a conversation that goes on for days: no limit on the total number of bytes, but rolling limits.
    ///
    /// A gateway may answer with its whole history, in a message of up to 16 MiB; even a busy gateway stays far below
    /// these rates.
    package static let session = ConnectionLimits(
        frameBytes: 16 << 20,
        connectionBytes: .max,
        depth: 128,
        frames: .max,
        connecting: .seconds(5),
        duration: .seconds(5),
        byteRate: Rate(burst: 64 << 20, perSecond: 8 << 20),
        frameRate: Rate(burst: 4_096, perSecond: 512)
    )

    /// Creates limits. These are the defaults, which are those of ``probe``:
    ///
    /// - Parameters:
    ///   - frameBytes: 64 KiB, which is also the limit of a gateway itself.
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
    package init(
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

    /// The minimum number of round trips that a step is given: an upgrade and a question take two, and one packet may
    /// be lost.
    static let roundTrips = 5

    /// Returns the time that a step may take, given the time that connecting took.
    ///
    /// Round trips of 400 ms and more are common: satellites, another continent, a busy process.
    package func duration(after connecting: Duration) -> Duration { max(duration, connecting * Self.roundTrips) }
}
