package import GatewayProtocol

/// The state of the session of one credential, with its details.
package enum SessionState: Hashable, Sendable {
    /// No session is wanted: the user has disconnected it, or the program ends.
    case stopped

    /// Another process has the session of this credential; `nil` when it is not known which.
    case held(LockHolder?)

    /// The gateway has as many sessions as one may have, and this one takes its turn when another ends.
    case queued

    /// No path to the gateway is known.
    case idle

    /// The gateway does not answer, and is tried again at this time, or as soon as something indicates that it may be
    /// there.
    case waiting(until: ContinuousClock.Instant)

    /// Connections are being opened.
    case connecting

    /// The gateway has answered, and has been asked for a session.
    case authenticating

    /// The session is live, on this path.
    case connected(SessionPath)

    /// Without TLS, the gateway is not where it was at pairing; or what claims to be it has not proved it. Nothing is sent
    /// to it.
    case moved(MoveReason)

    /// Another certificate is shown where the gateway was last. Nothing is sent there.
    case changedLeaf(found: LeafFingerprint)

    /// The peer has no trusted certificate for the host that the gateway was paired as: the certificate has expired, or
    /// something else answers, such as the login page of a guest network. Nothing is sent to it.
    case uncertified

    /// The gateway has asked for time, or waits for its operator's approval.
    case deferred(SessionRefusal, until: ContinuousClock.Instant)

    /// The gateway refuses, and will do so until something other than time changes.
    case refused(SessionRefusal)

    /// The gateway has revoked the credential.
    case revoked(SessionRefusal)

    /// This device itself cannot have a session, for this reason, which is a text for people.
    case failed(String)

    /// Indicates whether the session is live.
    package var isConnected: Bool {
        if case .connected = self { true } else { false }
    }
}
