/// A problem in a TXT record because of which part of the record was left out when it was read. Each kind is reported
/// once, so that a record has at most seven.
package enum TXTRecordProblem: Hashable, Sendable, CustomStringConvertible {
    /// The last string is shorter than its length byte says, and was left out.
    case truncatedString

    /// The record is longer than 8,900 bytes; the rest was not read.
    case recordTooLong

    /// Strings longer than 255 bytes were left out.
    case stringsTooLong(count: Int)

    /// Strings that begin with `=` were left out.
    case missingKeys(count: Int)

    /// Strings whose key is not printable ASCII were left out.
    case invalidKeys(count: Int)

    /// Strings with a key that occurred before were left out.
    case repeatedKeys(count: Int)

    /// Strings after the 64th entry were left out.
    case tooManyEntries(leftOut: Int)

    /// The explanation for people: what was expected and what was found.
    package var description: String {
        switch self {
        case .truncatedString:
            "The last string of the TXT record is cut off; it was left out."
        case .recordTooLong:
            "A TXT record has at most \(TXTRecord.maximumLength) bytes; the rest of this one was not read."
        case .stringsTooLong(let count):
            "A TXT string has at most \(TXTRecord.maximumStringLength) bytes; \(count) longer left out."
        case .missingKeys(let count):
            "A TXT string begins with a key; \(count) without one left out."
        case .invalidKeys(let count):
            "A TXT key is printable ASCII; \(count) with another key left out."
        case .repeatedKeys(let count):
            "A TXT key stands once; \(count) repeated left out."
        case .tooManyEntries(let leftOut):
            "A TXT record is read up to \(TXTRecord.maximumEntryCount) entries; \(leftOut) more left out."
        }
    }
}
