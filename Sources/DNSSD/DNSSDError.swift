/// The reason why something cannot be a name, a service type, a service instance or a TXT record.
///
/// One error for the whole module, so that whoever takes names and records from people catches one type and shows its
/// ``message``. What a backend cannot do is a ``BackendError``.
///
/// ## Usage
///
///     do {
///         _ = try ServiceType("openclaw._tcp")
///     } catch {
///         print(error.message)  // "… Did you mean _openclaw._tcp?"
///     }
public struct DNSSDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            // Domain names.
            case emptyLabel, labelTooLong, domainNameTooLong, invalidEscape, truncatedName, compressedName
            // Service types.
            case invalidServiceType, missingUnderscore, unknownTransport, invalidServiceName, serviceNameTooLong,
                invalidSubtype, unexpectedDomain
            // Service instances.
            case invalidInstanceName, instanceNameNotUTF8, invalidInstanceType, invalidInstanceDomain, invalidFullName
            // TXT records.
            case invalidKey, repeatedKey, stringTooLong, tooManyEntries, recordTooLong
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        public var description: String { wrapped.rawValue }

        /// In a domain name, nothing stands between two dots, or before the first.
        public static let emptyLabel = Code(wrapped: .emptyLabel)
        /// A label of a domain name has more than 63 bytes.
        public static let labelTooLong = Code(wrapped: .labelTooLong)
        /// The domain name has more than 255 bytes on the wire.
        public static let domainNameTooLong = Code(wrapped: .domainNameTooLong)
        /// A backslash is followed by neither three digits up to 255 nor another character.
        public static let invalidEscape = Code(wrapped: .invalidEscape)
        /// The bytes end before the domain name does.
        public static let truncatedName = Code(wrapped: .truncatedName)
        /// The bytes hold a compression pointer, which means nothing outside its message (RFC 1035 §4.1.4).
        public static let compressedName = Code(wrapped: .compressedName)

        /// The service type is not of the form `_name._tcp` or `_name._udp`.
        public static let invalidServiceType = Code(wrapped: .invalidServiceType)
        /// The name or the transport of a service type lacks its underscore.
        public static let missingUnderscore = Code(wrapped: .missingUnderscore)
        /// The second label of a service type is neither `_tcp` nor `_udp`.
        public static let unknownTransport = Code(wrapped: .unknownTransport)
        /// The service name breaks the rules of RFC 6335 §5.1.
        public static let invalidServiceName = Code(wrapped: .invalidServiceName)
        /// The service name has more than 15 characters.
        public static let serviceNameTooLong = Code(wrapped: .serviceNameTooLong)
        /// A subtype is empty or has more than 63 bytes.
        public static let invalidSubtype = Code(wrapped: .invalidSubtype)
        /// Another domain than `local` follows the service type.
        public static let unexpectedDomain = Code(wrapped: .unexpectedDomain)

        /// The instance name is empty, has more than 63 bytes, or is wrongly escaped.
        public static let invalidInstanceName = Code(wrapped: .invalidInstanceName)
        /// The instance name is not UTF-8 (RFC 6763 §4.1.1).
        public static let instanceNameNotUTF8 = Code(wrapped: .instanceNameNotUTF8)
        /// The labels behind the instance name are no service type.
        public static let invalidInstanceType = Code(wrapped: .invalidInstanceType)
        /// The domain of an instance is missing or is no domain name, or makes the full name too long.
        public static let invalidInstanceDomain = Code(wrapped: .invalidInstanceDomain)
        /// The full name of an instance is not name, type and domain.
        public static let invalidFullName = Code(wrapped: .invalidFullName)

        /// The TXT key is empty, or not printable ASCII without `=`.
        public static let invalidKey = Code(wrapped: .invalidKey)
        /// The TXT key was given twice.
        public static let repeatedKey = Code(wrapped: .repeatedKey)
        /// TXT key, `=` and value together have more than 255 bytes.
        public static let stringTooLong = Code(wrapped: .stringTooLong)
        /// The TXT record would have more than 64 entries.
        public static let tooManyEntries = Code(wrapped: .tooManyEntries)
        /// The TXT record would have more than 8,900 bytes.
        public static let recordTooLong = Code(wrapped: .recordTooLong)
    }

    /// The kind of trouble.
    public let code: Code

    /// The explanation for people: what was expected, what was found and what to do.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    /// Returns the text that was found, as a message shows it: cleaned, cut and in quotation marks.
    static func shown(_ text: String, limit: Int = 80) -> String {
        "\u{201C}\(DisplayText(text, limit: limit))\u{201D}"
    }
}
