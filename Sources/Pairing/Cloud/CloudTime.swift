internal import HostSystem

/// Times of the cloud's table: microseconds since 1970 in UTC, as PostgreSQL keeps them (`timestamptz`).
package enum CloudTime {
    private static let ofDay = 86_400_000_000

    /// The range from the first microsecond of the year 1 to the last of the year 9999.
    package static let range = -62_135_596_800_000_000...253_402_300_799_999_999

    /// Returns a time in milliseconds since 1970 as one that the table can have, whatever a file has brought.
    static func bounded(_ time: Int) -> Int { min(max(time, 0), range.upperBound / 1_000) }

    /// Returns a time as PostgreSQL reads it, to the microsecond: `2026-11-21T12:00:00.000001Z`.
    package static func text(_ time: Int) -> String {
        let time = min(max(time, range.lowerBound), range.upperBound)
        let day = GregorianDay.floor(time, ofDay)
        let rest = time - day * ofDay
        let date = GregorianDay.date(day: day)
        let clock = [rest / 3_600_000_000, rest / 60_000_000 % 60, rest / 1_000_000 % 60].map { padded($0, 2) }
        let text = [padded(date.year, 4), padded(date.month, 2), padded(date.day, 2)].joined(separator: "-")
        return "\(text)T\(clock.joined(separator: ":")).\(padded(rest % 1_000_000, 6))Z"
    }

    /// Reads a time as PostgREST writes it (RFC 3339): with up to six digits of a second, and any offset; `nil` for any other
    /// text.
    package static func read(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20,
            zip(bytes, "0000-00-00T00:00:00".utf8).allSatisfy({ $1 == UInt8(ascii: "0") ? isDigit($0) : $0 == $1 })
        else { return nil }
        let parts = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].map { number(bytes[$0]) }
        var rest = bytes[19...]
        var micros = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard (1...6).contains(digits.count) else { return nil }
            micros = (digits.count..<6).reduce(number(digits)) { value, _ in value * 10 }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offset(rest), (1...12).contains(parts[1]), parts[3] < 24, parts[4] < 60, parts[5] < 60
        else { return nil }
        let day = GregorianDay.days(year: parts[0], month: parts[1], day: parts[2])
        // A day that the month does not have would come back as another date.
        guard parts[0] > 0, GregorianDay.date(day: day) == (parts[0], parts[1], parts[2]) else { return nil }
        let seconds = (parts[3] * 60 + parts[4]) * 60 + parts[5] - offset
        let time = day * ofDay + seconds * 1_000_000 + micros
        return range.contains(time) ? time : nil
    }

    /// Returns the seconds by which a zone is ahead of UTC: `Z`, `+02:00` or `+02`.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
        if text.elementsEqual("Z".utf8) { return 0 }
        guard let sign = text.first, "+-".utf8.contains(sign) else { return nil }
        let parts = text.dropFirst().split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(isDigit) }) else {
            return nil
        }
        let numbers = parts.map(number)
        guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = numbers[0] * 3_600 + (numbers.count == 2 ? numbers[1] * 60 : 0)
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func number(_ digits: some Sequence<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
}
