/// Times as texts of ISO 8601, in the years 1 to 9999.
package enum GregorianTime {
    private static let secondsOfDay = 86_400

    /// Returns a time in UTC: `2026-11-21T12:00:00.000Z`.
    ///
    /// - Parameters:
    ///   - time: The time since the beginning of 1970, in the units of the last digit.
    ///   - digits: The digits of a second.
    package static func text(_ time: Int, digits: Int) -> String {
        let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
        let seconds = GregorianDay.floor(time, unit)
        let day = GregorianDay.floor(seconds, secondsOfDay)
        let (date, ofDay) = (GregorianDay.date(day: day), seconds - day * secondsOfDay)
        let parts = [
            "\(padded(date.year, to: 4))-\(padded(date.month))-\(padded(date.day))",
            "\(padded(ofDay / 3_600)):\(padded(ofDay / 60 % 60)):\(padded(ofDay % 60))",
        ]
        return "\(parts.joined(separator: "T")).\(padded(time - seconds * unit, to: digits))Z"
    }

    /// Reads a time without a zone, `2026-11-21T12:00:00`, as seconds since the beginning of 1970; `nil` for any other text.
    package static func seconds(_ text: some Sequence<UInt8>) -> Int? {
        let (bytes, form) = (Array(text), Array("0000-00-00T00:00:00".utf8))
        guard bytes.count == form.count,
            zip(bytes, form).allSatisfy({ isDigit($1) ? isDigit($0) : $0 == $1 })
        else { return nil }
        let parts = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].map { number(bytes[$0]) }
        guard parts[0] > 0, (1...12).contains(parts[1]), parts[3] < 24, parts[4] < 60, parts[5] < 60 else { return nil }
        let day = GregorianDay.days(year: parts[0], month: parts[1], day: parts[2])
        // A day that the month does not have, such as 31 April, would come back as another date.
        guard GregorianDay.date(day: day) == (parts[0], parts[1], parts[2]) else { return nil }
        return day * secondsOfDay + (parts[3] * 60 + parts[4]) * 60 + parts[5]
    }

    /// Indicates whether a byte is a decimal digit.
    package static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// Returns the number that digits are.
    package static func number(_ digits: some Sequence<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } }

    private static func padded(_ number: Int, to digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
}
