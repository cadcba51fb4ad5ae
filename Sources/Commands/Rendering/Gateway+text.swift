internal import Constellation

extension Gateway {
    /// Indicates whether it answers, in words, and why not where that is known; `nil` while nothing is.
    var livenessText: String? { isFlooding ? "suspect: floods" : liveness?.text }
}

extension GatewayPath {
    /// Indicates whether it answers, in words.
    var livenessText: String {
        isFlooding && liveness == .suspect ? "suspect: floods" : liveness?.text ?? "not asked yet"
    }
}

extension Liveness {
    /// A word that says whether it answers.
    var text: String {
        switch self {
        case .answering: "answering"
        case .suspect: "suspect"
        case .gone: "gone"
        }
    }
}

extension GatewayFlag {
    /// The meaning of the flag for the user, in words.
    var text: String {
        switch self {
        case .sameFingerprint: "another one claims the same fingerprint; at most one of them is what it says"
        case .contradicts: "it answers as another gateway than it is advertised as"
        case .moved: "it says that it is paired, and has not proved it at this address"
        }
    }
}
