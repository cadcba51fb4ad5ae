public import GatewayProtocol
public import PairingStore

/// The state of the session of one credential.
public enum SessionState: Hashable, Sendable {
    /// It is not to be connected: the user, or the end of the program, says so.
    case stopped

    /// Another process has the session of this credential; `nil` when it is not known which.
    case held(LockHolder?)

    /// No way leads to the gateway.
    case idle

    /// The gateway does not answer, and is tried again at this time, or when something says that it may be there.
    case waiting(until: ContinuousClock.Instant)

    /// Connections are being opened.
    case connecting

    /// The gateway is there, and has been asked for a session.
    case authenticating

    /// The session is live, on this way.
    case connected(SessionPath)

    /// Without TLS, the gateway is not where it was at pairing. Nothing is sent to it.
    case moved(MoveReason)

    /// The gateway shows another certificate where it was last. Nothing is sent to it.
    case changedLeaf(found: LeafFingerprint)

    /// Nobody vouches that what answers is the host that the gateway was paired as: its certificate has run out, or somebody else
    /// answers, such as the login page of a guest network. Nothing is sent to it.
    case uncertified

    /// The gateway has asked for time, or waits for its operator's approval.
    case deferred(SessionRefusal, until: ContinuousClock.Instant)

    /// The gateway refuses, and will until something else than time changes.
    case refused(SessionRefusal)

    /// The gateway has withdrawn the credential.
    case revoked(SessionRefusal)

    /// This device itself cannot: the reason is one for people.
    case failed(String)

    /// Indicates whether the session is live.
    public var isConnected: Bool {
        if case .connected = self { true } else { false }
    }
}
