public import GatewayProtocol

/// A connection to a gateway that is held for liveness checks, over which requests may be made beside them.
///
/// The one who holds it opens and closes it; see ``LivenessCheck/hold(checks:answered:opened:)``. It may be used by several
/// tasks at once. It is anonymous: nobody has said who they are, and no pairing is looked at, so that nothing secret must
/// be sent over it. What a gateway answers here is untrusted, as all is that it says without a session.
///
/// A request has at most ``maximumBytes``, and so have the answers to all that wait together; more of them end the
/// connection. At most ``maximumRequests`` wait at once. What answers no request is dropped, and counts as a flood does.
public struct HeldConnection: Sendable {
    /// The most bytes of a request, and of all that comes between two questions: what a gateway itself takes.
    public static let maximumBytes = 65_536

    /// The most requests that wait for their answers at once.
    public static let maximumRequests = 8

    private let conversation: GatewayConversation
    private let backlog: WebSocketBacklog

    init(over connection: WebSocketConnection, limits: ConnectionLimits) {
        var limits = limits
        limits.pendingRequests = min(limits.pendingRequests, Self.maximumRequests)
        limits.unsentBytes = min(limits.unsentBytes, Self.maximumBytes)
        backlog = connection.backlog
        conversation = GatewayConversation(over: connection, limits: limits, maximumBytes: Self.maximumBytes)
    }

    /// The way it goes.
    public var path: GatewayProbePath { conversation.path }

    /// Asks, and waits for the answer. The liveness checks go on meanwhile.
    ///
    /// - Parameters:
    ///   - method: The method, one that the gateway answers without a session.
    ///   - params: Its parameters: nothing secret.
    ///   - timeout: How long the answer is waited for. One that comes later is dropped.
    /// - Returns: The response: a failure that the gateway reports is one of its outcomes.
    /// - Throws: ``GatewayConnectionError`` `timedOut`, `cancelled`, `busy` or `tooLong`, or why the connection has ended,
    ///   such as `closed` or `flooded`.
    public func request(
        _ method: String,
        params: JSONValue? = nil,
        timeout: Duration = .seconds(5)
    ) async throws(GatewayConnectionError) -> GatewayResponse {
        backlog.beginReading()
        defer { backlog.endReading() }
        return try await conversation.request(method, params: params, timeout: timeout)
    }

    /// Indicates whether a request waits for its answer.
    var isAsking: Bool { conversation.pendingCount > 0 }

    /// Takes a message in. One that comes when no request waits any more is not even read.
    func receive(_ text: [UInt8]) {
        if isAsking { conversation.receiveAnswer(text) }
    }

    /// Ends the requests that wait, and those to come.
    func end(_ error: GatewayConnectionError) { conversation.end(.failed(error)) }
}
