/// The Gregorian calendar, in years that begin with March, so that the leap day is the last day. Foundation's loads 2 MB of
/// calendars and time zones into memory.
package enum GregorianDay {
    /// Returns the number of days from the beginning of 1970 to a date. A day that the month does not have counts on.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = year - (month <= 2 ? 1 : 0)
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + floor(shifted, 4) - floor(shifted, 100) + floor(shifted, 400) + ofYear - 719_468
    }

    /// Returns the date of a day that is counted from the beginning of 1970.
    package static func date(day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = floor(shifted, 146_097)
        let ofEra = shifted - era * 146_097
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let isNext = month >= 10
        return (era * 400 + year + (isNext ? 1 : 0), isNext ? month - 9 : month + 3, ofYear - (153 * month + 2) / 5 + 1)
    }

    /// Returns the quotient, rounded down.
    package static func floor(_ number: Int, _ divisor: Int) -> Int {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }
}
