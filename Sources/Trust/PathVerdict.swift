package import GatewayProtocol

/// The verdict on an endpoint that may be a paired gateway's: who answers there, and whether it may have the token.
///
/// It says what is known before any connection. Right before a token is sent, the proof is demanded again on that very
/// connection.
package enum PathVerdict: Hashable, Sendable {
    /// The gateway answers there, as far as can be seen without a session: it shows the pinned certificate or, without
    /// that, is where it was at pairing.
    case own

    /// Nothing is known against it: a connection shows more.
    case possible

    /// It answers as the gateway, and does not give the proof that the pairing demands. A connection that demands it may
    /// be tried.
    case unproved

    /// Without TLS, it is not where it was; or another gateway answers there.
    case moved(MoveReason)

    /// It shows another certificate than the pinned one.
    case changedLeaf(found: LeafFingerprint)

    /// It is never the gateway's, whatever answers there.
    case refused

    /// Indicates whether a session may be sought there.
    package var maySeek: Bool {
        switch self {
        case .own, .possible, .unproved: true
        case .moved, .changedLeaf, .refused: false
        }
    }
}
