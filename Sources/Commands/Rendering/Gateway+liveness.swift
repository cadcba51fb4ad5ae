internal import BotMap

extension Gateway {
    /// Indicates whether it answers, in words, and why not where that is known; `nil` while nothing is.
    var livenessText: String? { isFlooding ? "suspect: floods" : liveness?.text }

    /// Why it is suspect, where that is not for its silence: the word of the JSON.
    var livenessReason: String? { isFlooding ? "floods" : nil }
}

extension GatewayPath {
    /// Indicates whether it answers, in words.
    var livenessText: String {
        isFlooding && liveness == .suspect ? "suspect: floods" : liveness?.text ?? "not asked yet"
    }
}
