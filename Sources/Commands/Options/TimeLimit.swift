internal import ArgumentParser
internal import Console

/// A time limit as given on the command line: `3`, `1.5`, `500ms`, `90s` or `2m`.
struct TimeLimit: Hashable, Sendable, CustomStringConvertible {
    let duration: Duration

    init(seconds: Int) {
        self.duration = .seconds(seconds)
    }

    private init(milliseconds: Int) {
        self.duration = .milliseconds(milliseconds)
    }

    /// Half of the time limit.
    var half: TimeLimit { TimeLimit(milliseconds: milliseconds / 2) }

    /// Returns what is left of the time limit, of which a part was used for asking an agent that does not answer; at least half.
    func left(since begin: ContinuousClock.Instant) -> TimeLimit {
        let used = Int((ContinuousClock.now - begin) / .milliseconds(1))
        return TimeLimit(milliseconds: max(milliseconds - used, milliseconds / 2))
    }

    /// Reads what was typed.
    init(_ text: String) throws(ArgumentProblem) {
        let expected = "A time is a number of seconds from 0.1 to 3600, such as 3, 1.5, 500ms, 90s or 2m."
        guard let seconds = TypedTime.milliseconds(text).map({ $0 / 1_000 }) else { throw ArgumentProblem(expected) }
        // Checked before the conversion to `Int`, which traps on values that are too large.
        guard (0.1...3_600).contains(seconds) else { throw ArgumentProblem(expected) }
        self.duration = .milliseconds(Int((seconds * 1_000).rounded()))
    }

    var milliseconds: Int {
        Int(duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000)
    }

    var description: String {
        milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)" : "\(Double(milliseconds) / 1_000)"
    }
}

extension ArgumentHelp {
    /// Makes the help of an option that takes a time limit.
    ///
    /// - Parameters:
    ///   - meaning: The meaning of the time, without a full stop.
    ///   - usual: The limit without the option.
    static func time(_ meaning: String, default usual: String) -> ArgumentHelp {
        ArgumentHelp("\(meaning): 500ms, 3, 90s, 2m. Default: \(usual).", valueName: "time")
    }
}
