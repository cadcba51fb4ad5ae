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
