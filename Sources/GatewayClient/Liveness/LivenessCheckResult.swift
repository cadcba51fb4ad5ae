/// The result of asking a gateway that is known whether it answers.
public enum LivenessCheckResult: Hashable, Sendable {
    /// It answered so long after the question; with what its answer is recognised by, where it came over HTTP.
    case answered(Duration, HTTPSignature?)

    /// Something answered, and not as this gateway does: another process has the port, or it has another certificate.
    case different

    /// Nothing came in time.
    case silent

    /// It hung up.
    case closed

    /// No program listens on the port.
    case refused

    /// No way leads there.
    case unreachable

    /// It sent more than anybody had asked for.
    case flooded

    /// It was not asked: this process has no descriptor left for a socket. It says nothing about the gateway.
    case noSocket

    init(_ error: GatewayConnectionError) {
        switch error.code {
        case .refused: self = .refused
        case .unreachable: self = .unreachable
        case .timedOut: self = .silent
        case .flooded, .tooLong: self = .flooded
        case .closed: self = .closed
        case .noSocket: self = .noSocket
        // No TLS, another leaf, no upgrade, another protocol. The codes that may be added are of this kind.
        default: self = .different
        }
    }
}
