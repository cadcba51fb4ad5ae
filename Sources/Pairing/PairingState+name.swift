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
