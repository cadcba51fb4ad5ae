public import GatewayProtocol

/// A connection to a gateway that is held for liveness checks, and over which requests may be made as well.
///
/// Its holder opens and closes it; see ``LivenessCheck/hold(checks:answered:opened:)``. Several tasks may use it at
/// once. It is anonymous: neither side has proved its identity, and no pairing is consulted, so nothing secret may be
/// sent over it. The gateway's answers are untrusted, like everything that a gateway says without a session.
///
/// A request may have at most ``maximumBytes``, and so may the answers to all waiting requests together; longer answers
/// end the connection. At most ``maximumRequests`` may wait at once. A message that answers no request is dropped, and
/// counts towards a flood.
public struct HeldConnection: Sendable {
    /// The most bytes of a request, and of all that is received between two questions. Gateways have the same limit.
    public static let maximumBytes = 65_536

    /// The most requests that may wait for their answers at once.
    public static let maximumRequests = 8

    let conversation: GatewayConversation
    private let backlog: WebSocketBacklog

    init(over connection: WebSocketConnection, limits: ConnectionLimits) {
        var limits = limits
        limits.pendingRequests = min(limits.pendingRequests, Self.maximumRequests)
        limits.unsentBytes = min(limits.unsentBytes, Self.maximumBytes)
        backlog = connection.backlog
        conversation = GatewayConversation(over: connection, limits: limits, maximumBytes: Self.maximumBytes)
    }

    /// The path on which the gateway is connected.
    public var path: GatewayProbePath { conversation.path }

    /// Sends a request and waits for the answer. The liveness checks go on meanwhile.
    ///
    /// - Parameters:
    ///   - method: A method that the gateway answers without a session.
    ///   - params: The parameters, which must not be secret.
    ///   - timeout: The time to wait for the answer. A later answer is dropped.
    /// - Returns: The response. A failure that the gateway reports is one of its outcomes.
    /// - Throws: ``GatewayConnectionError`` `timedOut`, `cancelled`, `busy` or `tooLong`, or the reason why the
    ///   connection has ended, such as `closed` or `flooded`.
    public func request(
        _ method: String,
        params: JSONValue? = nil,
        timeout: Duration = .seconds(5)
    ) async throws(GatewayConnectionError) -> GatewayResponse {
        backlog.beginReading()
        defer { backlog.endReading() }
        return try await conversation.request(method, params: params, timeout: timeout)
    }

    /// Indicates whether the answer to a request may come, even if its caller has given up.
    var expectsAnswer: Bool { conversation.expectsAnswer }

    /// Handles a received message. It is not even parsed when no answer may come.
    func receive(_ text: [UInt8]) {
        if expectsAnswer { conversation.receiveAnswer(text) }
    }

    /// Fails the waiting requests, and all later ones.
    func end(_ error: GatewayConnectionError) { conversation.end(.failed(error)) }
}
