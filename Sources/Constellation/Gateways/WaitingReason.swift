/// A reason why an endpoint that is to be asked has not been asked yet.
public enum WaitingReason: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// As many connections were made to its address in this minute as one address may see.
    case addressBudget

    /// As many probes run as may run at once.
    case probeLimit

    /// This process has no socket left.
    case noSocket

    public var description: String {
        switch self {
        case .addressBudget: "many others lead to its address, and go first"
        case .probeLimit: "others are asked first"
        case .noSocket: "this process has no socket left for it"
        }
    }
}
