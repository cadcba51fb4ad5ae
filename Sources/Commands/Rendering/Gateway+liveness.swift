internal import Constellation

extension Gateway {
    /// Indicates whether it answers, in words, and why not where that is known; `nil` while nothing is.
    var livenessText: String? { isFlooding ? "suspect: floods" : liveness?.text }

    /// The reason why it is suspect, where that is not its silence: the word that the JSON has for it.
    var livenessReason: String? { isFlooding ? "floods" : nil }
}

extension GatewayPath {
    /// Indicates whether it answers, in words.
    var livenessText: String {
        isFlooding && liveness == .suspect ? "suspect: floods" : liveness?.text ?? "not asked yet"
    }
}
