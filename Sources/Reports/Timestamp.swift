internal import HostSystem

/// A point in time in the years 1 to 9999, to the millisecond.
///
/// Its description is ISO 8601 in UTC: `2026-11-21T12:00:00.000Z`. Foundation's formatter is not used, because it loads
/// 2 MB of calendars and time zones into memory to write these few digits.
package struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The range from the first millisecond of the year 1 to the last of the year 9999: later years have more than four
    /// digits.
    private static let range = -62_135_596_800_000...253_402_300_799_999

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
    package var description: String { GregorianTime.text(milliseconds, digits: 3) }

    /// Reads a text in the exact form of ``description``; returns `nil` for any other.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 24, bytes[19] == UInt8(ascii: "."), bytes[23] == UInt8(ascii: "Z"),
            bytes[20..<23].allSatisfy(GregorianTime.isDigit), let seconds = GregorianTime.seconds(bytes[..<19])
        else { return nil }
        self.init(milliseconds: seconds * 1_000 + GregorianTime.number(bytes[20..<23]))
    }
}

extension Duration {
    /// The duration in whole milliseconds, limited to 10¹² seconds in either direction.
    package var wholeMilliseconds: Int { whole(ofSecond: 1_000) }

    /// The duration in whole microseconds, limited to 10¹² seconds in either direction.
    var wholeMicroseconds: Int { whole(ofSecond: 1_000_000) }

    private func whole(ofSecond units: Int64) -> Int {
        // Far beyond any real duration, and far from arithmetic overflow.
        let limit = Duration.seconds(1_000_000_000_000)
        let (seconds, attoseconds) = min(max(self, .zero - limit), limit).components
        return Int(seconds * units + attoseconds / (1_000_000_000_000_000_000 / units))
    }
}
