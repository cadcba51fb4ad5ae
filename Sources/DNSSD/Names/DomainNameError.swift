/// Why bytes or text are no domain name.
public struct DomainNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is. More may be added.
    public struct Code: Hashable, Sendable {
        private enum Wrapped: String {
            case emptyLabel, labelTooLong, nameTooLong, invalidEscape, truncated, compressed
        }

        private let wrapped: Wrapped

        /// Nothing stands between two dots, or before the first.
        public static let emptyLabel = Code(wrapped: .emptyLabel)
        /// A label has more than 63 bytes.
        public static let labelTooLong = Code(wrapped: .labelTooLong)
        /// The name has more than 255 bytes on the wire.
        public static let nameTooLong = Code(wrapped: .nameTooLong)
        /// A backslash is followed by neither three digits up to 255 nor another character.
        public static let invalidEscape = Code(wrapped: .invalidEscape)
        /// The bytes end before the name does.
        public static let truncated = Code(wrapped: .truncated)
        /// The bytes hold a compression pointer, which means nothing outside its message (RFC 1035 §4.1.4).
        public static let compressed = Code(wrapped: .compressed)
    }

    /// The kind of trouble.
    public let code: Code

    /// What was expected, what was found and what to do, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    static let emptyLabel = DomainNameError(
        .emptyLabel,
        "Every label of a domain name needs at least one byte; one is empty. Remove the doubled dot."
    )

    static func labelTooLong(count: Int) -> DomainNameError {
        DomainNameError(.labelTooLong, "A label of a domain name has at most 63 bytes; one has \(count). Shorten it.")
    }

    static let nameTooLong = DomainNameError(
        .nameTooLong,
        "A domain name has at most 255 bytes, length bytes included; this one has more. Shorten it."
    )

    static let invalidEscape = DomainNameError(
        .invalidEscape,
        #"After a backslash come three digits from 000 to 255, or one character; write a backslash itself as "\\"."#
    )

    static let truncated = DomainNameError(
        .truncated,
        "The name ends with a zero byte; these bytes end before it."
    )

    static let compressed = DomainNameError(
        .compressed,
        "A name outside its message is written out in full; this one holds a compression pointer or a reserved length."
    )
}
