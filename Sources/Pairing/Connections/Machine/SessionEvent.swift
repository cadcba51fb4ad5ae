internal import GatewayProtocol

/// The number of an attempt to connect, and of the session that it leads to.
struct AttemptID: Hashable, Comparable, Sendable {
    let number: Int

    static func < (lhs: AttemptID, rhs: AttemptID) -> Bool { lhs.number < rhs.number }
}

/// The reason why an attempt failed, or a session ended.
enum SessionFailure: Hashable, Sendable, CustomStringConvertible {
    /// Nobody answered, or the connection ended.
    case unreachable

    /// The peer has shown another certificate than the pinned one. Nothing was sent.
    case wrongLeaf(LeafFingerprint)

    /// The token may not go there. Nothing was sent.
    case blocked(TrustDecision)

    /// The gateway refuses, or has ended the session with a reason.
    case refused(SessionRefusal)

    /// This device itself cannot have a session, for example because its store is sealed.
    case failed(String)

    var description: String {
        switch self {
        case .unreachable: "nobody answers, or the connection has ended"
        case .wrongLeaf(let found): "another certificate is shown (\(found))"
        case .blocked(let decision): "nothing was sent: \(decision)"
        case .refused(let refusal): "\(refusal)"
        case .failed(let reason): reason
        }
    }
}

/// An event in the life of a session.
enum SessionEvent: Hashable, Sendable {
    /// A session is wanted.
    case start

    /// No session is wanted any more.
    case stop

    /// Another process has the session of this credential. When that ends, ``start`` follows.
    case held(LockHolder?)

    /// The gateway has as many sessions as one may have. When this one has its turn, ``start`` follows.
    case queue

    /// This device itself cannot have a session, for this reason, which is a text for people.
    case fail(String)

    /// The paths have been chosen again.
    case offer(PathOffer)

    /// There is a new secret.
    case newCredential

    /// Something indicates that the gateway may be there: it was sighted, an address or the network has changed, or
    /// this host was asleep. It is looked for after this delay, so that not all sessions look at once.
    case wake(after: Duration)

    /// The gateway has answered somebody else, and was not known to be gone: it may have been away for a moment.
    case answered

    /// Somebody watches, or nobody any more. So many sessions share the budget of pings.
    case watched(Bool, among: Int = 1)

    /// An attempt has opened a connection. The decision is about the proof that the peer has shown on it.
    case opened(AttemptID, TrustDecision)

    /// The gateway has granted the session.
    case granted(AttemptID, tick: Duration?)

    /// An attempt failed, or its session has ended.
    case ended(AttemptID, SessionFailure)

    /// The gateway has given a sign of life.
    case signOfLife(AttemptID)

    /// Reading from the gateway pauses, so that its signs of life go unnoticed, or continues.
    case congested(AttemptID, Bool)

    /// Time has passed.
    case timePassed
}

/// An action that follows from an event.
enum SessionAction: Hashable, Sendable {
    /// Opens a connection.
    case connect(AttemptID, SessionPath)

    /// Asks for a session on the open connection: the only action that permits sending the token.
    case authenticate(AttemptID)

    /// Ends a connection.
    case close(AttemptID, code: UInt16)

    /// Asks for a sign of life.
    case ping(AttemptID)

    /// The session is established, in place of every other one.
    case established(AttemptID, SessionPath)

    /// The session's endpoint answers, is suspect, or has no session any more (`nil`).
    case liveness(AttemptID, Sign?)

    /// Moves the credential to the bin.
    case revoke(SessionRefusal)

    /// Reports a new state.
    case report(SessionState)

    /// The liveness of an endpoint as its session sees it.
    enum Sign: Hashable, Sendable {
        case answering
        case suspect
    }
}
