/// The result of asking a known gateway whether it answers.
package enum LivenessCheckResult: Hashable, Sendable {
    /// The gateway answered, this long after the question; over HTTP, with the signature of its answer.
    case answered(Duration, HTTPSignature?)

    /// Something answered, but not as this gateway does: another process has the port, or the certificate is another.
    case different

    /// No answer came in time.
    case silent

    /// The peer closed the connection.
    case closed

    /// No program listens on the port.
    case refused

    /// The host cannot be reached.
    case unreachable

    /// The peer sent more than the limits allow.
    case flooded

    /// The gateway was not asked, because this process has no file descriptor left for a socket. This says nothing
    /// about the gateway.
    case noSocket

    init(_ error: GatewayConnectionError) {
        switch error.code {
        case .refused: self = .refused
        case .unreachable: self = .unreachable
        case .timedOut: self = .silent
        case .flooded, .tooLong: self = .flooded
        case .closed: self = .closed
        case .noSocket: self = .noSocket
        // No TLS, another certificate, no upgrade, or another protocol. Codes that are added later are treated alike.
        default: self = .different
        }
    }
}
