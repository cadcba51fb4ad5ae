internal import GatewayProtocol

/// The reason why a ``GatewaySession`` has ended, or why there is none.
public struct SessionEnd: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of end.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case lost, replaced, stopped, refused, failed
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same.
        public var description: String { wrapped.rawValue }

        /// The connection has ended, or was silent for too long. Another session is sought.
        public static let lost = Code(wrapped: .lost)

        /// Another connection has taken its place, and the next session is there.
        public static let replaced = Code(wrapped: .replaced)

        /// None is wanted: the gateway was disconnected or unpaired, another process has the session, or the run has
        /// ended.
        public static let stopped = Code(wrapped: .stopped)

        /// The gateway has refused it, or has ended it with a reason.
        public static let refused = Code(wrapped: .refused)

        /// This device itself cannot have one, for example because its store is sealed.
        public static let failed = Code(wrapped: .failed)
    }

    /// The kind of end.
    public let code: Code

    /// The reason, as a sentence for people. It quotes no secret.
    public let message: String

    public var description: String { message }

    package init(_ code: Code, _ message: String) {
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
