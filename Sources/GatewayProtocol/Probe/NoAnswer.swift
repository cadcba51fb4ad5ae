/// The reason why nothing answered.
package enum NoAnswer: Hashable, Sendable, CustomStringConvertible {
    /// The host answers, but no program listens on the port.
    case refused

    /// No answer came within this time, although the connection may have been established.
    case noAnswer(within: Duration)

    /// The host cannot be reached.
    case unreachable

    /// The endpoint speaks TLS, or was expected to, and no TLS connection was established.
    case tlsFailure

    /// The certificate is not the one that was required; nothing was sent.
    case wrongLeaf(found: LeafFingerprint)

    /// The peer closed the connection without an answer.
    case closed

    /// A web server answers in place of the gateway that was there before, with this status: a front, as a rule, behind
    /// which the gateway has ended.
    case noGateway(status: Int)

    /// The host was asked at all ports at which gateways usually listen, and no gateway answered at any of them.
    case notAtUsualPorts

    /// The endpoint was not asked, because this process has no file descriptor left for a socket.
    case noSocket

    /// The endpoint must not be connected to, for this reason.
    case notAllowed(TargetRefusal)

    package var description: String {
        switch self {
        case .refused: "connection refused"
        case .noAnswer(let time): "no answer in \(Self.text(time))"
        case .unreachable: "unreachable"
        case .tlsFailure: "no TLS connection came about"
        case .wrongLeaf(let found): "another certificate than expected: \(found)"
        case .closed: "closed without a word"
        case .noGateway(let status): "only a web server answers (HTTP \(status)), and no gateway behind it"
        case .notAtUsualPorts:
            "no gateway at the usual ports \(GatewayDialect.usualPorts.map(String.init).joined(separator: ", "))"
        case .noSocket: "not asked: too many files are open"
        case .notAllowed(let refusal): "not contacted: \(refusal)"
        }
    }

    private static func text(_ time: Duration) -> String {
        let tenths = (time.components.seconds * 10) + time.components.attoseconds / 100_000_000_000_000_000
        guard tenths > 0 else { return "\(Int(time / .milliseconds(1))) ms" }
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}
