internal import ArgumentParser

/// A time of hours or days, as given on the command line: `30m`, `2h`, `7d` or `2w`.
struct LongTime: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    /// The longest time, in milliseconds: the history is kept no longer.
    private static let longest = 90 * 86_400_000

    let milliseconds: Int
    let description: String

    static let hour = LongTime(milliseconds: 3_600_000, description: "1h")
    static let week = LongTime(milliseconds: 604_800_000, description: "7d")

    private init(milliseconds: Int, description: String) {
        self.milliseconds = milliseconds
        self.description = description
    }

    /// Reads what was typed; `nil` for anything else.
    init?(argument: String) {
        let digits = argument.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number > 0 else { return nil }
        let units = ["m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000]
        guard let unit = units[String(argument.dropFirst(digits.count))], number <= Self.longest / unit else {
            return nil
        }
        milliseconds = number * unit
        description = argument
    }
}
