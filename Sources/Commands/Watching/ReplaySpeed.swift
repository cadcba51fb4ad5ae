internal import Console

/// The speed at which a recording is replayed.
enum ReplaySpeed: Hashable, Sendable {
    /// A multiple of the speed at which it was recorded.
    case times(Double)

    /// Without pauses.
    case unpaced

    /// Reads what was typed: a number, or `max`.
    init(_ text: String) throws(ArgumentProblem) {
        if text == "max" {
            self = .unpaced
            return
        }
        guard let number = Double(text), (0.001...1_000_000).contains(number) else {
            throw ArgumentProblem("A speed is a number from 0.001 to 1000000, such as 10, or max.")
        }
        self = .times(number)
    }

    /// Returns the time after the start of the replay at which it shows an event that was recorded at the given time;
    /// `nil` for at once.
    func pause(_ recorded: Duration) -> Duration? {
        switch self {
        case .times(let factor): recorded / factor
        case .unpaced: nil
        }
    }
}
