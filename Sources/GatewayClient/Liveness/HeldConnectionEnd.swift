/// The reason why a connection to a gateway is no longer held.
package enum HeldConnectionEnd: Hashable, Sendable {
    /// There are no more checks, the task was cancelled, or the connection is old and should be replaced.
    case letGo

    /// The connection could not be opened: the gateway was silent, refused it or is another one, or there was no
    /// socket.
    case notOpened(LivenessCheckResult)

    /// The gateway, or its host, closed the connection.
    case closed

    /// The peer sent more than the limits allow.
    case flooded

    /// The peer did not answer as this gateway does.
    case different

    /// A question over HTTP was not answered in time. A WebSocket connection is not given up for that, since the
    /// gateway may answer late.
    case silent
}
