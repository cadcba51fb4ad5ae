#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Points in time as text.
enum TimeText {
    /// The time of day now, where the user is.
    static var now: String { local(.now) }

    /// The time of day where the user is, as `14:03:09`.
    static func local(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        return time(date, offset: Int(parts.tm_gmtoff))
    }

    /// The time of day so many seconds east of Greenwich.
    static func time(_ date: Date, offset: Int) -> String {
        let second = (Int(date.timeIntervalSince1970.rounded(.down)) + offset) % 86_400
        let ofDay = second < 0 ? second + 86_400 : second
        return [ofDay / 3_600, ofDay / 60 % 60, ofDay % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }

    /// The years 1 to 9999: what is outside is none of our times, and has no four digits.
    private static let years = Date.distantPast.timeIntervalSinceReferenceDate...252_423_993_599.999

    /// For machines: ISO 8601 in UTC, with milliseconds, of the years 1 to 9999.
    ///
    /// By hand: Foundation's formatter brings calendars and time zones into memory, 2 MB of them, to write a few digits.
    static func iso8601(_ date: Date) -> String {
        let time = min(years.upperBound, max(years.lowerBound, date.timeIntervalSinceReferenceDate))
        let whole = time.rounded(.down)
        let milliseconds = Int((time - whole) * 1_000)
        var seconds = time_t(whole) + time_t(Date.timeIntervalBetween1970AndReferenceDate)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = [padded(parts.tm_year + 1_900, to: 4), padded(parts.tm_mon + 1), padded(parts.tm_mday)]
        let ofDay = [padded(parts.tm_hour), padded(parts.tm_min), padded(parts.tm_sec)]
        return day.joined(separator: "-") + "T" + ofDay.joined(separator: ":") + "."
            + padded(Int32(milliseconds), to: 3) + "Z"
    }

    private static func padded(_ number: Int32, to digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }

    /// The time that ``iso8601(_:)`` has written; `nil` when it is none.
    static func date(_ text: String) -> Date? {
        try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
    }

    /// `12.3 ms`.
    static func milliseconds(_ time: Duration) -> String {
        let tenths = time.components.seconds * 10_000 + time.components.attoseconds / 100_000_000_000_000
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// `12.345`: for machines, to the microsecond.
    static func millisecondNumber(_ time: Duration) -> Double {
        let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
        return Double(microseconds) / 1_000
    }
}
