/// The reason why a connection to a gateway is kept no longer.
public enum HeldConnectionEnd: Hashable, Sendable {
    /// There are no more checks, the task was cancelled, or the connection is old and is to be made anew.
    case letGo

    /// It did not come about: the gateway was silent, refused, is another one, or there was no socket.
    case notOpened(LivenessCheckResult)

    /// The gateway, or its host, closed it.
    case closed

    /// More came than was asked for.
    case flooded

    /// The peer answered, and not as this gateway does.
    case different

    /// A question over HTTP was not answered in time. A WebSocket connection is not given up for that: the gateway is heard
    /// when it goes on.
    case silent
}
