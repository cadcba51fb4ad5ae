extension PairingState {
    /// The name of the step, for logs and JSON; it stays the same from version to version.
    public var name: String {
        switch self {
        case .resolving: "resolving"
        case .asking: "asking"
        case .confirming: "confirming"
        case .pairing: "pairing"
        case .secretNeeded: "secretNeeded"
        case .approvalNeeded: "approvalNeeded"
        case .notReady: "notReady"
        case .storing: "storing"
        case .withdrawing: "withdrawing"
        case .paired: "paired"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }
}

extension PairingMachine.Event {
    /// Creates the event for an answer.
    init(_ answer: PairingAnswer) {
        switch answer {
        case .confirm(let consent): self = .confirmed(consent)
        case .secret(let answer): self = .secretGiven(answer)
        case .cancel: self = .cancelled
        }
    }

    /// Indicates whether the gateway has granted something, or the grant has been stored.
    var isGrant: Bool {
        switch self {
        case .granted, .stored: true
        default: false
        }
    }
}
