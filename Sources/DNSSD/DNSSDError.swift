/// The reason why a text, bytes or parts are not a valid name, service type, service instance or TXT record.
///
/// The module has a single error type, so that code that accepts names and records from people catches one type and
/// shows its ``message``. Failures of a backend are a ``BackendError``.
///
/// ## Usage
///
///     do {
///         _ = try ServiceType("openclaw._tcp")
///     } catch {
///         print(error.message)  // "… Did you mean _openclaw._tcp?"
///     }
public struct DNSSDError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of error. More may be added.
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

        /// The name of the code, for logs. It stays the same from version to version.
        public var description: String { wrapped.rawValue }

        /// A domain name has an empty label: two dots in a row, or a dot at the beginning.
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

        /// The service type does not have the form `_name._tcp` or `_name._udp`.
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
        /// A domain other than `local` follows the service type.
        public static let unexpectedDomain = Code(wrapped: .unexpectedDomain)

        /// The instance name is empty, has more than 63 bytes, or has an invalid escape.
        public static let invalidInstanceName = Code(wrapped: .invalidInstanceName)
        /// The instance name is not UTF-8 (RFC 6763 §4.1.1).
        public static let instanceNameNotUTF8 = Code(wrapped: .instanceNameNotUTF8)
        /// The labels after the instance name are not a service type.
        public static let invalidInstanceType = Code(wrapped: .invalidInstanceType)
        /// The domain of an instance is missing or invalid, or makes the full name too long.
        public static let invalidInstanceDomain = Code(wrapped: .invalidInstanceDomain)
        /// The full name of an instance does not consist of name, type and domain.
        public static let invalidFullName = Code(wrapped: .invalidFullName)

        /// The TXT key is empty, or is not printable ASCII without `=`.
        public static let invalidKey = Code(wrapped: .invalidKey)
        /// The TXT key was given twice.
        public static let repeatedKey = Code(wrapped: .repeatedKey)
        /// A TXT key, `=` and value together have more than 255 bytes.
        public static let stringTooLong = Code(wrapped: .stringTooLong)
        /// The TXT record would have more than 64 entries.
        public static let tooManyEntries = Code(wrapped: .tooManyEntries)
        /// The TXT record would have more than 8,900 bytes.
        public static let recordTooLong = Code(wrapped: .recordTooLong)
    }

    /// The kind of error.
    public let code: Code

    /// The explanation for people: what was expected, what was found and what to do.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    /// Returns a text as messages show it: cleaned, cut and in quotation marks.
    static func shown(_ text: String, limit: Int = 80) -> String {
        "\u{201C}\(DisplayText(text, limit: limit))\u{201D}"
    }
}
