internal import BotMap

extension Liveness {
    /// Whether it answers, in words.
    var text: String {
        switch self {
        case .answering: "answering"
        case .suspect: "suspect"
        case .gone: "gone"
        }
    }
}
