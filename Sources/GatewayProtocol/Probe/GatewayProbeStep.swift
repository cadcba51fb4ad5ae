package import DNSSD

/// One step that a gateway probe tried.
package struct GatewayProbeStep: Hashable, Sendable {
    /// A kind of step. More may be added.
    package enum Kind: String, Hashable, Sendable {
        /// A TCP connection.
        case connect
        /// The TLS handshake.
        case tls
        /// The WebSocket upgrade, and the exchange after it.
        case webSocket = "websocket"
        /// A line of JSON over TCP.
        case line
        /// `GET /healthz` or `GET /version`.
        case http
    }

    /// The kind of step that was tried.
    package let kind: Kind

    /// The endpoint on which it was tried.
    package let endpoint: Endpoint

    /// The question that was asked, such as `GET /healthz`; empty where none was.
    package let question: String

    /// The result of the step, for people, cleaned.
    package let result: DisplayText

    /// The time that the step took.
    package let elapsed: Duration

    /// Indicates whether the step succeeded.
    package let succeeded: Bool

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - kind: The kind of step that was tried.
    ///   - endpoint: The endpoint on which it was tried.
    ///   - question: The question that was asked; empty where none was.
    ///   - result: The result, for people. It is cleaned, and cut to 160 characters.
    ///   - elapsed: The time that the step took.
    ///   - succeeded: Indicates whether the step succeeded.
    package init(
        kind: Kind,
        endpoint: Endpoint,
        question: String = "",
        result: String,
        elapsed: Duration,
        succeeded: Bool
    ) {
        self.kind = kind
        self.endpoint = endpoint
        self.question = question
        self.result = DisplayText(result, limit: 160)
        self.elapsed = elapsed
        self.succeeded = succeeded
    }
}
