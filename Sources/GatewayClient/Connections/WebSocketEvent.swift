internal import DNSSD

/// An event on a WebSocket connection.
package enum WebSocketEvent: Hashable, Sendable {
    /// A message, assembled from its fragments, text or binary.
    case message([UInt8])

    /// The answer to a ping of ours, with the payload of the pong, at most 125 bytes.
    case pong([UInt8])

    /// The peer closed the connection.
    case closed(WebSocketClose)

    /// The connection failed.
    case failed(GatewayConnectionError)
}

/// The peer's reason for closing a WebSocket connection (RFC 6455 §5.5.1).
package struct WebSocketClose: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of a reason: a control frame has room for no more beside the code.
    package static let maximumReasonBytes = 123

    /// The close code (RFC 6455 §7.4), such as 1008 where a gateway refuses and 4001 where it withdraws a credential;
    /// `nil` when the peer sent none, or closed the connection without a close frame.
    package let code: UInt16?

    /// The reason as it was sent, at most ``maximumReasonBytes``; untrusted, often cut in the middle, and not always
    /// UTF-8.
    package let reason: [UInt8]

    /// Creates the reason for a close.
    ///
    /// - Parameters:
    ///   - code: The close code.
    ///   - reason: The reason; it is cut where it is too long.
    package init(code: UInt16?, reason: [UInt8] = []) {
        self.code = code
        self.reason = Array(reason.prefix(Self.maximumReasonBytes))
    }

    /// The code and the reason for people, without characters that could mislead them.
    package var description: String {
        let text = DisplayText(String(decoding: reason, as: UTF8.self), limit: Self.maximumReasonBytes).text
        guard let code else { return "no code" }
        return text.isEmpty ? "code \(code)" : "code \(code): \(text)"
    }
}
