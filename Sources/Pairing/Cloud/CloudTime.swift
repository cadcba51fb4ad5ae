internal import HostSystem

/// Times of the cloud's table: microseconds since 1970 in UTC, as PostgreSQL keeps them (`timestamptz`).
package enum CloudTime {
    /// The range from the first microsecond of the year 1 to the last of the year 9999.
    package static let range = -62_135_596_800_000_000...253_402_300_799_999_999

    /// Returns a time in milliseconds since 1970 as one that the table can have, whatever a file has brought.
    static func bounded(_ time: Int) -> Int { min(max(time, 0), range.upperBound / 1_000) }

    /// Returns a time as PostgreSQL reads it, to the microsecond: `2026-11-21T12:00:00.000001Z`.
    package static func text(_ time: Int) -> String {
        GregorianTime.text(min(max(time, range.lowerBound), range.upperBound), digits: 6)
    }

    /// Reads a time as PostgREST writes it (RFC 3339): with up to six digits of a second, and any offset; `nil` for any other
    /// text.
    package static func read(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard let seconds = GregorianTime.seconds(bytes.prefix(19)) else { return nil }
        var (rest, micros) = (bytes[19...], 0)
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: GregorianTime.isDigit)
            guard (1...6).contains(digits.count) else { return nil }
            micros = (digits.count..<6).reduce(GregorianTime.number(digits)) { value, _ in value * 10 }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offset = offset(rest) else { return nil }
        let time = (seconds - offset) * 1_000_000 + micros
        return range.contains(time) ? time : nil
    }

    /// Returns the seconds by which a zone is ahead of UTC: `Z`, `+02:00` or `+02`.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
        if text.elementsEqual("Z".utf8) { return 0 }
        guard let sign = text.first, "+-".utf8.contains(sign) else { return nil }
        let parts = text.dropFirst().split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(GregorianTime.isDigit) })
        else {
            return nil
        }
        let numbers = parts.map { GregorianTime.number($0) }
        guard numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = numbers[0] * 3_600 + (numbers.count == 2 ? numbers[1] * 60 : 0)
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
