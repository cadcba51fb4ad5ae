/// Why a TXT record cannot be made as asked.
public struct TXTRecordError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is. More may be added.
    public struct Code: Hashable, Sendable {
        private enum Wrapped: String {
            case invalidKey, repeatedKey, stringTooLong, tooManyEntries, recordTooLong
        }

        private let wrapped: Wrapped

        /// The key is empty, or not printable ASCII without `=`.
        public static let invalidKey = Code(wrapped: .invalidKey)
        /// The key was given twice.
        public static let repeatedKey = Code(wrapped: .repeatedKey)
        /// Key, `=` and value together have more than 255 bytes.
        public static let stringTooLong = Code(wrapped: .stringTooLong)
        /// There would be more than 64 entries.
        public static let tooManyEntries = Code(wrapped: .tooManyEntries)
        /// The record would have more than 8,900 bytes.
        public static let recordTooLong = Code(wrapped: .recordTooLong)
    }

    /// The kind of trouble.
    public let code: Code

    /// What was expected, what was found and what to do, for people.
    public let message: String

    private init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    static func invalidKey(_ key: String) -> TXTRecordError {
        let expected = "A TXT key is at least one printable ASCII character, without ="
        return TXTRecordError(.invalidKey, "\(expected); found \(shown(key)). Choose another key.")
    }

    static func repeatedKey(_ key: String) -> TXTRecordError {
        TXTRecordError(.repeatedKey, "A TXT key stands once, in any case; \(shown(key)) was given twice. Remove one.")
    }

    static func stringTooLong(key: String, length: Int) -> TXTRecordError {
        let expected = "A TXT key and its value together have at most \(TXTRecord.maximumStringLength) bytes"
        return TXTRecordError(.stringTooLong, "\(expected); those of \(shown(key)) have \(length). Shorten the value.")
    }

    static let tooManyEntries = TXTRecordError(
        .tooManyEntries,
        "A TXT record has at most \(TXTRecord.maximumEntryCount) entries; this would be one more. Remove some."
    )

    static func recordTooLong(length: Int) -> TXTRecordError {
        let expected = "A TXT record has at most \(TXTRecord.maximumLength) bytes"
        return TXTRecordError(.recordTooLong, "\(expected); this one has \(length). Shorten or remove values.")
    }

    private static func shown(_ key: String) -> String { "\u{201C}\(DisplayText(key, limit: 40))\u{201D}" }
}
