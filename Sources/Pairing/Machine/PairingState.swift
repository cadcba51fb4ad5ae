public import GatewayProtocol

/// A step of pairing, to be shown to the user. In steps that are questions, pairing waits for the answer.
@nonexhaustive
public enum PairingState: Hashable, Sendable {
    /// The addresses are looked up.
    case resolving

    /// The gateway is asked what it is.
    case asking

    /// The gateway has answered. A question: pair with it, with which bots, and how to trust it?
    case confirming(PairingOffer)

    /// The gateway is asked for a pairing.
    case pairing(PairingOffer)

    /// The gateway demands a secret first. A question.
    case secretNeeded(SecretQuestion)

    /// The gateway's operator has to approve this device; the request is repeated now and then.
    case approvalNeeded(PairingApproval)

    /// The gateway has asked for time, by refusing for now. It is asked again at that time, in milliseconds since 1970.
    case notReady(PairingError, nextRequest: Int)

    /// The gateway has granted the pairing, which is now stored.
    case storing

    /// The gateway has also granted these bots, which were not asked for. What was asked for is stored, and these are
    /// withdrawn.
    case withdrawing([BotDescription])

    /// The end: paired, and stored.
    case paired(PairingID)

    /// The end: the pairing failed.
    case failed(PairingError)

    /// The end: the user has given up.
    case cancelled

    /// Indicates whether this is the last step.
    public var isFinal: Bool {
        switch self {
        case .paired, .failed, .cancelled: true
        case .resolving, .asking, .confirming, .pairing, .secretNeeded, .approvalNeeded, .notReady, .storing,
            .withdrawing:
            false
        }
    }

    /// Indicates whether pairing waits for the user's answer.
    public var isQuestion: Bool {
        switch self {
        case .confirming, .secretNeeded: true
        case .resolving, .asking, .pairing, .approvalNeeded, .notReady, .storing, .withdrawing, .paired, .failed,
            .cancelled:
            false
        }
    }

    /// Indicates whether the user can still give the pairing up: not once the gateway has granted it.
    var canBeGivenUp: Bool {
        switch self {
        case .storing, .withdrawing, .paired, .failed, .cancelled: false
        case .resolving, .asking, .confirming, .pairing, .secretNeeded, .approvalNeeded, .notReady: true
        }
    }
}

/// A question for a secret that a gateway wants before it lets a device ask to be paired.
public struct SecretQuestion: Hashable, Sendable {
    /// A kind of secret.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The one token of an OpenClaw gateway.
        case sharedToken
        /// The one password of an OpenClaw gateway.
        case password
        /// A setup code of an OpenClaw gateway: `openclaw qr` prints one.
        case setupCode
        /// The one-time token of a gateway's link or code.
        case pairingToken
    }

    /// The kinds of secret of which one is needed.
    public let kinds: [Kind]

    /// A sentence for people: the secret that is needed, or the error in the last one. The possible answers are
    /// ``kinds``.
    public let message: String

    /// The rule that says which of these kinds the gateway may have.
    package let rule: SecretRule

    /// Indicates whether the gateway has no TLS: a token or password of it is sent only with the
    /// consent of ``PairingAnswer/secret(_:_:sendsInClear:)``.
    public var isPlain: Bool { rule.isPlain }
}

/// A request that waits for the approval of a gateway's operator.
public struct PairingApproval: Hashable, Sendable {
    /// The refusal by which the gateway demanded the approval.
    package let refusal: SessionRefusal

    /// A sentence for people about the demand of the gateway.
    public var message: String { refusal.description }

    /// The time since which this request is known, in milliseconds since 1970.
    public let since: Int

    /// The time at which the gateway last confirmed that the request waits.
    public internal(set) var lastConfirmed: Int

    /// The time at which it is asked again, in milliseconds since 1970; earlier after
    /// ``PairingCoordinator/askAgain()``. `nil` while the gateway will tell without being asked again.
    public internal(set) var nextRequest: Int?

    /// The reason why the last repetition of the request failed, if it did.
    public internal(set) var trouble: String?

    /// Indicates whether an earlier request has expired, so that this one has another identifier.
    public internal(set) var isRenewed = false

    /// The identifier of the request; `nil` if the gateway gave none that can be typed.
    public var requestID: String? { refusal.requestID }

    /// The command that approves it, typed on the gateway's host.
    public var command: String? { refusal.approvingCommand }

    /// Returns the age of the request at a time in milliseconds since 1970.
    public func age(at time: Int) -> Duration { .milliseconds(max(time - since, 0)) }
}
