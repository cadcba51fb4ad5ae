internal import HostSystem

/// A point in time in the years 1 to 9999, to the millisecond.
///
/// Its description is ISO 8601 in UTC: `2026-11-21T12:00:00.000Z`. Foundation's formatter is not used, because it loads
/// 2 MB of calendars and time zones into memory to write these few digits.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The range from the first millisecond of the year 1 to the last of the year 9999: later years have more than four
    /// digits.
    private static let range = -62_135_596_800_000...253_402_300_799_999
    private static let millisecondsOfDay = 86_400_000

    /// The milliseconds since the beginning of 1970 in UTC, without leap seconds.
    package let milliseconds: Int

    /// Makes a timestamp.
    ///
    /// - Parameter milliseconds: The milliseconds since the beginning of 1970; a time outside of the years 1 to 9999
    ///   becomes the beginning or the end of these years.
    package init(milliseconds: Int) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The current time, by the clock of this host.
    package static var now: Timestamp { Timestamp(milliseconds: WallClock.milliseconds) }

    /// Returns the timestamp that is a duration later, where the duration is truncated to whole milliseconds.
    package func advanced(by time: Duration) -> Timestamp {
        Timestamp(milliseconds: milliseconds + time.wholeMilliseconds)
    }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// The time in ISO 8601 and UTC, to the millisecond: `2026-11-21T12:00:00.000Z`.
    package var description: String {
        let day = GregorianDay.floor(milliseconds, Self.millisecondsOfDay)
        let ofDay = milliseconds - day * Self.millisecondsOfDay
        let date = GregorianDay.date(day: day)
        let parts = [
            "\(Self.padded(date.year, to: 4))-\(Self.padded(date.month))-\(Self.padded(date.day))",
            "\(Self.padded(ofDay / 3_600_000)):\(Self.padded(ofDay / 60_000 % 60)):\(Self.padded(ofDay / 1_000 % 60))",
        ]
        return "\(parts.joined(separator: "T")).\(Self.padded(ofDay % 1_000, to: 3))Z"
    }

    /// Reads a text in the exact form of ``description``; returns `nil` for any other.
    package init?(_ text: String) {
        let form = Array("0000-00-00T00:00:00.000Z".utf8)
        let bytes = Array(text.utf8)
        let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
        guard bytes.count == form.count,
            zip(bytes, form).allSatisfy({ isDigit($1) ? isDigit($0) : $0 == $1 })
        else { return nil }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60 else { return nil }
        let days = GregorianDay.days(year: year, month: month, day: day)
        // A day that the month does not have, such as 31 April, would come back as another date.
        guard year > 0, GregorianDay.date(day: days) == (year, month, day) else { return nil }
        let ofDay = ((hour * 60 + minute) * 60 + second) * 1_000 + number(20..<23)
        self.init(milliseconds: days * Self.millisecondsOfDay + ofDay)
    }

    private static func padded(_ number: Int, to digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
}

extension Duration {
    /// The duration in whole milliseconds, limited to 10¹² seconds in either direction.
    var wholeMilliseconds: Int { whole(ofSecond: 1_000) }

    /// The duration in whole microseconds, limited to 10¹² seconds in either direction.
    var wholeMicroseconds: Int { whole(ofSecond: 1_000_000) }

    private func whole(ofSecond units: Int64) -> Int {
        // Far beyond any real duration, and far from arithmetic overflow.
        let limit = Duration.seconds(1_000_000_000_000)
        let (seconds, attoseconds) = min(max(self, .zero - limit), limit).components
        return Int(seconds * units + attoseconds / (1_000_000_000_000_000_000 / units))
    }
}
