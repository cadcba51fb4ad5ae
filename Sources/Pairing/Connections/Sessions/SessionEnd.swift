public import DNSSD
internal import GatewayProtocol

/// The reason why a ``GatewaySession`` has ended, or why there is none.
public struct SessionEnd: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of end.
    public let code: ErrorCode<SessionEnd>

    /// The reason, as a sentence for people. It quotes no secret.
    public let message: String

    public var description: String { message }

    package init(_ code: ErrorCode<SessionEnd>, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The end of all sessions.
    package static let ofRun = SessionEnd(.stopped, "expected sessions that are kept, found that their run has ended")

    /// Creates the reason for which this side has closed a session: the state that follows it.
    init(followedBy state: SessionState) {
        switch state {
        case .connected: self.init(.replaced, "another connection has taken its place")
        case .stopped: self.init(.stopped, "it was disconnected or unpaired")
        case .held(let holder): self.init(.stopped, holder.sentence)
        case .queued: self.init(.stopped, "its gateway has as many sessions as one may have")
        case .idle, .waiting, .connecting, .authenticating, .moved, .changedLeaf, .uncertified:
            self.init(.lost, "the gateway does not answer any more")
        case .deferred(let refusal, _), .refused(let refusal), .revoked(let refusal):
            self.init(.refused, refusal.description)
        case .failed(let reason): self.init(.failed, reason)
        }
    }

    /// Creates the reason for which a session has ended by itself.
    init(_ failure: SessionFailure) {
        switch failure {
        case .unreachable: self.init(.lost, "the connection has ended")
        case .wrongLeaf, .blocked: self.init(.lost, "\(failure)")
        case .refused(let refusal): self.init(.refused, refusal.description)
        case .failed(let reason): self.init(.failed, reason)
        }
    }
}

extension LockHolder? {
    /// The sentence for people that somebody else has a session.
    var sentence: String {
        switch self {
        case let holder? where holder.isThisProcess: "another part of this program has the session"
        case let holder?: "\(holder) has the session"
        case nil: "another process has the session"
        }
    }
}

/// The codes of the errors.
extension ErrorCode<SessionEnd> {
    /// The connection has ended, or was silent for too long. Another session is sought.
    public static var lost: Self { Self() }

    /// Another connection has taken its place, and the next session is there.
    public static var replaced: Self { Self() }

    /// None is wanted: the gateway was disconnected or unpaired, another process has the session, or the run has
    /// ended.
    public static var stopped: Self { Self() }

    /// The gateway has refused it, or has ended it with a reason.
    public static var refused: Self { Self() }

    /// This device itself cannot have one, for example because its store is sealed.
    public static var failed: Self { Self() }
}
