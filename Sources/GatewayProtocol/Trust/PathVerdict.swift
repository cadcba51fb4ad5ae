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

    /// Indicates whether an answer without a conclusive proof says that a paired gateway is there: at a place where the user
    /// trusts it, whatever network leads there, and at another address of its machine. Another machine or another gateway in
    /// its place does not.
    ///
    /// - Parameters:
    ///   - proof: The proof that the pairing demands.
    ///   - isOneMachine: Indicates whether the machine of the place where it was last has the same port and path there.
    package func saysOfPresence(_ proof: PairedMarks.Proof, isOneMachine: @autoclosure () -> Bool) -> Bool {
        switch self {
        case .own, .possible: true
        // Another certificate proves nothing, wherever it is shown, and has a warning of its own.
        case .changedLeaf: false
        // A gateway that was paired without TLS, and has TLS by now.
        case .unproved: proof == .address
        case .moved(.prefix), .moved(.router), .moved(.unknownNetwork), .moved(.tunnel): true
        // Its machine has another address: that the token does not go there is a warning of its own.
        case .moved(.address): isOneMachine()
        case .moved(.port), .moved(.machine), .moved(.gateway), .moved(.unproved), .moved(.hasTLS), .moved(.lostTLS),
            .moved(.node), .moved(.unknownNode), .refused:
            false
        }
    }
}
