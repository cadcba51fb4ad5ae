package import GatewayProtocol

/// The reason why a connection to a gateway could not be established, or ended.
package struct GatewayConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a connection. More may be added.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The host answers, but no program listens on the port.
        case refused
        /// The host cannot be reached.
        case unreachable
        /// A step took longer than ``ConnectionLimits`` allow, or the task was cancelled.
        case timedOut
        /// No TLS connection could be established.
        case tlsFailed
        /// The certificate is not the one that was required. Nothing was sent.
        case wrongLeaf
        /// A web server answered that does not speak WebSocket here.
        case notUpgraded
        /// The peer sent something that does not follow the protocol.
        case notUnderstood
        /// More came than ``ConnectionLimits`` allow, or a message took too much memory or time to become complete.
        case tooLong
        /// More unsolicited frames or lines came than ``ConnectionLimits/frames``, or more than a rolling limit allows.
        case flooded
        /// This process has no file descriptor or memory left for a socket; nothing was sent.
        case noSocket
        /// The peer closed the connection, with the reason in ``GatewayConnectionError/close`` where it gave one, or
        /// this side closed it.
        case closed
        /// The certificate is not valid for the host that was named, or was not issued by an authority that this system
        /// trusts. Nothing was sent.
        case untrusted
        /// More was asked for at once than a conversation allows; nothing was sent.
        case busy
        /// The task that waited was cancelled.
        case cancelled
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
