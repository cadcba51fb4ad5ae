public import DNSSD

/// One thing that a gateway probe tried.
public struct GatewayProbeStep: Hashable, Sendable {
    /// What was tried. More may be added.
    public enum Kind: String, Hashable, Sendable {
        /// A TCP connection.
        case connect
        /// The TLS handshake.
        case tls
        /// The WebSocket upgrade, and what was said after it.
        case webSocket = "websocket"
        /// A line of JSON over TCP.
        case line
        /// `GET /healthz` or `GET /version`.
        case http
    }

    /// What was tried.
    public let kind: Kind

    /// Where.
    public let endpoint: Endpoint

    /// What was asked, such as `GET /healthz`; empty where nothing was.
    public let question: String

    /// What came of it, for people, cleaned.
    public let result: DisplayText

    /// How long it took.
    public let elapsed: Duration

    /// Whether it led further.
    public let succeeded: Bool

    public init(
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
