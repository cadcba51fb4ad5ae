public import GatewayProtocol

/// The reason why a connection to a gateway did not come about, or ended.
public struct GatewayConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a connection. More may be added.
    public struct Code: Hashable, Sendable {
        private enum Wrapped: String, CaseIterable {
            case refused, unreachable, timedOut, tlsFailed, wrongLeaf, notUpgraded, notUnderstood, tooLong, flooded,
                closed
            case noSocket
            case untrusted, busy, cancelled
            case notHeld, noRequests
        }

        private let wrapped: Wrapped

        /// Every code that there is.
        static let all = Wrapped.allCases.map { Code(wrapped: $0) }

        /// The name of the code, which stays the same from version to version.
        var name: String { wrapped.rawValue }

        /// The host is there, and no program listens.
        public static let refused = Code(wrapped: .refused)
        /// No way leads there.
        public static let unreachable = Code(wrapped: .unreachable)
        /// The time of a step is over, see ``ConnectionLimits``, or the task was cancelled.
        public static let timedOut = Code(wrapped: .timedOut)
        /// No secure connection came about.
        public static let tlsFailed = Code(wrapped: .tlsFailed)
        /// The certificate is not the one that was demanded. Nothing was sent.
        public static let wrongLeaf = Code(wrapped: .wrongLeaf)
        /// A web server answered, and does not speak WebSocket here.
        public static let notUpgraded = Code(wrapped: .notUpgraded)
        /// The peer sent something that does not follow the protocol.
        public static let notUnderstood = Code(wrapped: .notUnderstood)
        /// More came than ``ConnectionLimits`` allow.
        public static let tooLong = Code(wrapped: .tooLong)
        /// More frames or lines came than ``ConnectionLimits/frames``, to which nobody had asked.
        public static let flooded = Code(wrapped: .flooded)
        /// This process has no descriptor left for a socket: nobody was asked.
        public static let noSocket = Code(wrapped: .noSocket)
        /// The peer hung up; ``GatewayConnectionError/close`` has its word on why, where it gave one. Or this side did.
        public static let closed = Code(wrapped: .closed)
        /// The certificate is not one of the host that was named, or nobody whom this system trusts vouches for it.
        /// Nothing was sent.
        public static let untrusted = Code(wrapped: .untrusted)
        /// More is wanted at once than a conversation allows; nothing was sent.
        public static let busy = Code(wrapped: .busy)
        /// The task that waited was cancelled.
        public static let cancelled = Code(wrapped: .cancelled)
        /// No connection is held to the endpoint.
        public static let notHeld = Code(wrapped: .notHeld)
        /// The gateway speaks a dialect in which nothing can be requested over a connection that is held.
        public static let noRequests = Code(wrapped: .noRequests)
    }

    /// The kind of trouble.
    public let code: Code

    /// A description for people of what was expected and what was found. Quotes nothing of the peer.
    public let message: String

    /// The first bytes that came, at most ``ForeignAnswer/maximumBytes``.
    public let firstBytes: [UInt8]

    /// The certificate that was found, when it is the wrong one.
    public let leaf: LeafFingerprint?

    /// The peer's word on why it closed the connection, where it closed it.
    public let close: WebSocketClose?

    package init(
        _ code: Code,
        _ message: String,
        firstBytes: [UInt8] = [],
        leaf: LeafFingerprint? = nil,
        close: WebSocketClose? = nil
    ) {
        self.code = code
        self.message = message
        self.firstBytes = firstBytes
        self.leaf = leaf
        self.close = close
    }

    public var description: String { message }
}
