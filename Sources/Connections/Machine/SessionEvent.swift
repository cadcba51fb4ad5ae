internal import DNSSD
internal import GatewayProtocol
internal import PairingStore

/// The number of an attempt to connect, which is that of its session too.
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

    /// The gateway refuses, or has ended the session with a word.
    case refused(SessionRefusal)

    /// This device itself cannot, such as where its store is sealed.
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
    /// It is to be connected.
    case start

    /// It is not to be connected any more.
    case stop

    /// Another process has the session of this credential, or has it no more: then it begins with ``start``.
    case held(LockHolder?)

    /// This device itself cannot have it; the reason is one for people.
    case fail(String)

    /// The ways have been chosen anew.
    case offer(PathOffer)

    /// There is a new secret.
    case newCredential

    /// Something says that the gateway may be there: it was sighted, an address or the network has changed, or this host was
    /// asleep. It is looked for after this time, so that not all look at once.
    case wake(after: Duration)

    /// The gateway has answered somebody else, and was not missed before: it may have been away for a moment.
    case answered

    /// Somebody watches, or nobody any more; so many sessions share the questions for a sign of life.
    case watched(Bool, among: Int = 1)

    /// An attempt has a connection; the decision is on what the peer has shown on it.
    case opened(AttemptID, TrustDecision)

    /// The gateway has granted the session.
    case granted(AttemptID, tick: Duration?)

    /// An attempt failed, or its session has ended.
    case ended(AttemptID, SessionFailure)

    /// The gateway has given a sign of life.
    case heard(AttemptID)

    /// Reading from the gateway pauses, so that its signs of life are not heard, or goes on.
    case congested(AttemptID, Bool)

    /// Time has passed.
    case timePassed
}

/// A deed that follows from an event.
enum SessionAction: Hashable, Sendable {
    /// Opens a connection.
    case connect(AttemptID, SessionPath)

    /// Asks for a session on the open connection, with the token: the one action that lets it go.
    case authenticate(AttemptID)

    /// Ends a connection.
    case close(AttemptID, code: UInt16)

    /// Asks for a sign of life.
    case ping(AttemptID)

    /// The session is established, in place of every other one.
    case established(AttemptID, SessionPath)

    /// The session's endpoint lives, is suspect, or has no session any more.
    case liveness(AttemptID, Sign?)

    /// The credential goes to the bin.
    case revoke(SessionRefusal)

    /// The state is another one.
    case report(SessionState)

    /// A word on an endpoint.
    enum Sign: Hashable, Sendable {
        case answering
        case suspect
    }
}
