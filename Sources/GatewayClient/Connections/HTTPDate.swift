/// The dates of HTTP, in any of its three forms (RFC 9110 §5.6.7), and the pauses that web servers ask for (§10.2.3).
package enum HTTPDate {
    /// The maximum number of bytes of a date.
    private static let longest = 64

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Returns the seconds from now on that `Retry-After` says, which can be none or very many; `nil` for a text that says
    /// nothing.
    ///
    /// - Parameter now: The present time in milliseconds since 1970: that of the server where it says so, whose clock can be
    ///   another one.
    package static func seconds(_ text: String, now: Int) -> Int? {
        if !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) {
            return Int(text) ?? .max
        }
        return milliseconds(text).map { max(0, $0 - now + 999) / 1_000 }
    }

    /// Returns the time of a date, in milliseconds since 1970; `nil` for any other text.
    package static func milliseconds(_ text: String) -> Int? {
        guard text.utf8.count <= longest else { return nil }
        let words = text.split { ", -:".contains($0) }.map(String.init)
        // `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
        let parts: [String]
        if words.count == 8, words[7] == "GMT" {
            parts = Array(words[1..<7])
        } else if words.count == 7 {
            parts = [words[2], words[1], words[6], words[3], words[4], words[5]]
        } else {
            return nil
        }
        let numbers = [0, 2, 3, 4, 5].compactMap { number(parts[$0]) }
        guard numbers.count == 5, let month = months.firstIndex(of: parts[1]) else { return nil }
        let (day, hour, minute, second) = (numbers[0], numbers[2], numbers[3], numbers[4])
        let year = parts[2].utf8.count == 2 ? numbers[1] + (numbers[1] < 70 ? 2_000 : 1_900) : numbers[1]
        guard (1_970...9_999).contains(year), (1...31).contains(day), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        let seconds = ((days(year, month + 1, day) * 24 + hour) * 60 + minute) * 60 + second
        return seconds * 1_000
    }

    private static func number(_ text: String) -> Int? {
        guard text.utf8.count <= 4, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else {
            return nil
        }
        return Int(text)
    }

    /// Returns the days from 1970 to a date of the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years that begin in March, so that a leap day is the last one.
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468
    }
}
