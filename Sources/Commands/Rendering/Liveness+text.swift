internal import Constellation

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
