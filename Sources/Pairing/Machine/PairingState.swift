public import GatewayProtocol
public import PairingStore

/// A step of pairing, to be shown to the user. In those with a question, pairing waits for the answer.
public enum PairingState: Hashable, Sendable {
    /// The addresses are looked up.
    case resolving

    /// It is asked what it is.
    case asking

    /// It has answered. A question: pair with this one, which bots, and how to trust it?
    case confirming(PairingOffer)

    /// It is asked for a pairing.
    case pairing(PairingOffer)

    /// It wants a secret first. A question.
    case secretNeeded(SecretQuestion)

    /// Its operator has to approve this device; it is asked again now and then.
    case approvalNeeded(PairingApproval)

    /// The pairing is there, and is written down.
    case storing

    /// The end: paired, and stored.
    case paired(PairingID)

    /// The end: it did not come about.
    case failed(PairingError)

    /// The end: the user has given it up.
    case cancelled

    /// Indicates whether nothing follows.
    public var isFinal: Bool {
        switch self {
        case .paired, .failed, .cancelled: true
        default: false
        }
    }

    /// Indicates whether an answer of the user is waited for.
    public var isQuestion: Bool {
        switch self {
        case .confirming, .secretNeeded: true
        default: false
        }
    }
}

/// A question for a secret that a gateway wants before it lets a device ask to be paired.
public struct SecretQuestion: Hashable, Sendable {
    /// A kind of secret.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The one token of an OpenClaw gateway.
        case sharedToken
        /// The one password of an OpenClaw gateway.
        case password
        /// A setup code of an OpenClaw gateway: `openclaw qr` prints one.
        case setupCode
        /// The one-time token of a gateway's link or code.
        case pairingToken

        /// Indicates whether it opens more than this device's own access.
        public var isShared: Bool { self == .sharedToken || self == .password }
    }

    /// The kinds of which one is wanted.
    public let kinds: [Kind]

    /// A sentence for people: what is wanted, or what was wrong with the last one.
    public let message: String

    /// Indicates whether the gateway has no TLS: a token or password of it is sent only with ``SecretAnswer/sendsInClear``.
    public let isPlain: Bool
}

/// The answer to a ``SecretQuestion``.
public struct SecretAnswer: Hashable, Sendable {
    public var kind: SecretQuestion.Kind

    public var secret: Secret

    /// Consents to send a token or password that opens all of the gateway without TLS, where all who are on the way can read it. Given
    /// each time; it is never stored.
    public var sendsInClear: Bool

    public init(_ kind: SecretQuestion.Kind, _ secret: Secret, sendsInClear: Bool = false) {
        self.kind = kind
        self.secret = secret
        self.sendsInClear = sendsInClear
    }
}

/// A request that waits for the approval of a gateway's operator.
public struct PairingApproval: Hashable, Sendable {
    /// The refusal in which the gateway said so: its sentence for people, and the command that approves.
    public let refusal: SessionRefusal

    /// The time since which this request is known, in milliseconds since 1970.
    public let since: Int

    /// The time at which the gateway last said that it waits.
    public internal(set) var lastHeard: Int

    /// The reason why the last question did not reach it, where it did not.
    public internal(set) var trouble: String?

    /// The identifier of the request; `nil` where the gateway told none that could be typed.
    public var requestID: String? { refusal.requestID }

    /// The command that approves it, typed on the gateway's host.
    public var command: String? { refusal.approvingCommand }

    /// The age of the request at a time in milliseconds since 1970.
    public func age(at time: Int) -> Duration { .milliseconds(max(time - since, 0)) }
}
