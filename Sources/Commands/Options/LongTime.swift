internal import ArgumentParser

/// A time of minutes to weeks, as given on the command line: `90s`, `30m`, `2h`, `7d` or `2w`.
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
        guard let time = TypedTime.milliseconds(argument, plain: nil), time >= 1_000, time <= Double(Self.longest)
        else {
            return nil
        }
        milliseconds = Int(time.rounded())
        description = argument
    }
}
