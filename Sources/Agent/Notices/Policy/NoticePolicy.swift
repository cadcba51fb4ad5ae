/// A policy for notices: the things that a user wants to be told of, and how often. A value.
package struct NoticePolicy: Hashable, Sendable {
    /// The choice of the gateways that are watched.
    package enum Watched: Hashable, Sendable {
        /// Those that the user has paired or named.
        case own
        /// Every gateway that has answered.
        case all
        /// None.
        case none
        /// Those with these names, addresses or numbers of pairings.
        case named([String])

        /// The names; none if it is no list.
        package var names: [String] { if case .named(let names) = self { names } else { [] } }
    }

    /// The gateways that are watched.
    package var watched = Watched.own

    /// The maximum number of messages about one gateway within an hour.
    package var mostPerGateway = 6

    /// The maximum number of messages within an hour.
    package var most = 30

    /// Indicates whether gateways are told of that are new on the local network.
    package var tellsNewGateways = false

    /// The hours in which nothing is told; `nil` for none.
    package var quietHours: QuietHours?

    /// Creates a policy with the values above.
    package init() {}

    /// Indicates whether nothing is told now.
    func isQuiet(at moment: Moment) -> Bool { quietHours?.contains(minuteOfDay: moment.minuteOfDay) == true }
}

/// The hours of each day, in local time, in which nothing is told. What still is so at their end is told then.
package struct QuietHours: Hashable, Sendable, CustomStringConvertible {
    /// The first minute of the day.
    private let start: Int

    /// The minute of the day after the last one; before ``start`` if the hours go past midnight.
    private let end: Int

    /// Reads a text such as `22:00-07:00`; `nil` for any other.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
        guard parts.count == 2, let start = parts[0], let end = parts[1], start != end else { return nil }
        self.start = start
        self.end = end
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let isWritten =
            parts.count == 2
            && parts.allSatisfy { part in
                part.utf8.count == 2 && part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            }
        guard isWritten, let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60 else {
            return nil
        }
        return hour * 60 + minute
    }

    package func contains(minuteOfDay minute: Int) -> Bool {
        start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }

    package var description: String { "\(Self.text(start))-\(Self.text(end))" }

    /// Returns a minute of the day as people write it: `07:05`.
    static func text(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}

/// The settings of a user for being told of gateways. A value.
package struct NoticeSettings: Hashable, Sendable {
    /// The things that the user is told of, and how often.
    package var policy = NoticePolicy()

    /// The sinks, each with a name of its own. Without any, nothing is told.
    package var sinks: [NoticeSink] = []

    /// Creates settings.
    package init(policy: NoticePolicy = NoticePolicy(), sinks: [NoticeSink] = []) {
        self.policy = policy
        self.sinks = sinks
    }
}
