/// The reason why nothing answered.
public enum NoAnswer: Hashable, Sendable, CustomStringConvertible {
    /// The host is there; no program listens on the port.
    case refused

    /// Nothing came in this time, though it may have been connected.
    case noAnswer(within: Duration)

    /// No way leads there.
    case unreachable

    /// Something speaks TLS, or was to, and no secure connection came of it.
    case tlsFailure

    /// The certificate is another than the one that was demanded; nothing was sent.
    case wrongLeaf(found: LeafFingerprint)

    /// It hung up without a word.
    case closed

    /// It was not asked: this process has no descriptor left for a socket.
    case noSocket

    /// It must not be connected to.
    case notAllowed(TargetRefusal)

    public var description: String {
        switch self {
        case .refused: "connection refused"
        case .noAnswer(let time): "no answer in \(Self.text(time))"
        case .unreachable: "unreachable"
        case .tlsFailure: "no TLS connection came about"
        case .wrongLeaf(let found): "another certificate than expected: \(found)"
        case .closed: "closed without a word"
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
