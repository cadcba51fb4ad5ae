package import GatewayProtocol

/// The reason why a connection to a gateway could not be established, or ended.
package struct GatewayConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a connection. More may be added.
    package struct Code: Hashable, Sendable {
        private enum Wrapped: String, CaseIterable {
            case refused, unreachable, timedOut, tlsFailed, wrongLeaf, notUpgraded, notUnderstood, tooLong, flooded,
                closed
            case noSocket
            case untrusted, busy, cancelled
        }

        private let wrapped: Wrapped

        /// All codes.
        static let all = Wrapped.allCases.map { Code(wrapped: $0) }

        /// The name of the code. It stays the same from version to version.
        var name: String { wrapped.rawValue }

        /// The host answers, but no program listens on the port.
        package static let refused = Code(wrapped: .refused)
        /// The host cannot be reached.
        package static let unreachable = Code(wrapped: .unreachable)
        /// A step took longer than ``ConnectionLimits`` allow, or the task was cancelled.
        package static let timedOut = Code(wrapped: .timedOut)
        /// No TLS connection could be established.
        package static let tlsFailed = Code(wrapped: .tlsFailed)
        /// The certificate is not the one that was required. Nothing was sent.
        package static let wrongLeaf = Code(wrapped: .wrongLeaf)
        /// A web server answered that does not speak WebSocket here.
        package static let notUpgraded = Code(wrapped: .notUpgraded)
        /// The peer sent something that does not follow the protocol.
        package static let notUnderstood = Code(wrapped: .notUnderstood)
        /// More came than ``ConnectionLimits`` allow, or a message took too much memory or time to become complete.
        package static let tooLong = Code(wrapped: .tooLong)
        /// More unsolicited frames or lines came than ``ConnectionLimits/frames``, or more than a rolling limit allows.
        package static let flooded = Code(wrapped: .flooded)
        /// This process has no file descriptor or memory left for a socket; nothing was sent.
        package static let noSocket = Code(wrapped: .noSocket)
        /// The peer closed the connection, with the reason in ``GatewayConnectionError/close`` where it gave one, or
        /// this side closed it.
        package static let closed = Code(wrapped: .closed)
        /// The certificate is not valid for the host that was named, or was not issued by an authority that this system
        /// trusts. Nothing was sent.
        package static let untrusted = Code(wrapped: .untrusted)
        /// More was asked for at once than a conversation allows; nothing was sent.
        package static let busy = Code(wrapped: .busy)
        /// The task that waited was cancelled.
        package static let cancelled = Code(wrapped: .cancelled)
    }

    /// The kind of trouble.
    package let code: Code

    /// A description for people of what was expected and what was found. Quotes nothing that the peer sent.
    package let message: String

    /// The first bytes that the peer sent, at most ``ForeignAnswer/maximumBytes``.
    package let firstBytes: [UInt8]

    /// The certificate that was found, where it is the wrong one.
    package let leaf: LeafFingerprint?

    /// The peer's reason for closing the connection, where the peer closed it.
    package let close: WebSocketClose?

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

    package var description: String { message }
}
