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
    /// The kind of error.
    public let code: ErrorCode<DNSSDError>

    /// The explanation for people: what was expected, what was found and what to do.
    public let message: String

    init(_ code: ErrorCode<DNSSDError>, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    /// Returns a text as messages show it: cleaned, cut and in quotation marks.
    static func shown(_ text: String, limit: Int = 80) -> String {
        "\u{201C}\(DisplayText(text, limit: limit))\u{201D}"
    }
}

/// The codes of the errors.
extension ErrorCode<DNSSDError> {
    /// A domain name has an empty label: two dots in a row, or a dot at the beginning.
    public static var emptyLabel: Self { Self() }

    /// A label of a domain name has more than 63 bytes.
    public static var labelTooLong: Self { Self() }

    /// The domain name has more than 255 bytes on the wire.
    public static var domainNameTooLong: Self { Self() }

    /// A backslash is followed by neither three digits up to 255 nor another character.
    public static var invalidEscape: Self { Self() }

    /// The bytes end before the domain name does.
    public static var truncatedName: Self { Self() }

    /// The bytes hold a compression pointer, which means nothing outside its message (RFC 1035 §4.1.4).
    public static var compressedName: Self { Self() }

    /// The service type does not have the form `_name._tcp` or `_name._udp`.
    public static var invalidServiceType: Self { Self() }

    /// The name or the transport of a service type lacks its underscore.
    public static var missingUnderscore: Self { Self() }

    /// The second label of a service type is neither `_tcp` nor `_udp`.
    public static var unknownTransport: Self { Self() }

    /// The service name breaks the rules of RFC 6335 §5.1.
    public static var invalidServiceName: Self { Self() }

    /// The service name has more than 15 characters.
    public static var serviceNameTooLong: Self { Self() }

    /// A subtype is empty or has more than 63 bytes.
    public static var invalidSubtype: Self { Self() }

    /// A domain other than `local` follows the service type.
    public static var unexpectedDomain: Self { Self() }

    /// The instance name is empty, has more than 63 bytes, or has an invalid escape.
    public static var invalidInstanceName: Self { Self() }

    /// The instance name is not UTF-8 (RFC 6763 §4.1.1).
    public static var instanceNameNotUTF8: Self { Self() }

    /// The labels after the instance name are not a service type.
    public static var invalidInstanceType: Self { Self() }

    /// The domain of an instance is missing or invalid, or makes the full name too long.
    public static var invalidInstanceDomain: Self { Self() }

    /// The full name of an instance does not consist of name, type and domain.
    public static var invalidFullName: Self { Self() }

    /// The TXT key is empty, or is not printable ASCII without `=`.
    public static var invalidKey: Self { Self() }

    /// The TXT key was given twice.
    public static var repeatedKey: Self { Self() }

    /// A TXT key, `=` and value together have more than 255 bytes.
    public static var stringTooLong: Self { Self() }

    /// The TXT record would have more than 64 entries.
    public static var tooManyEntries: Self { Self() }

    /// The TXT record would have more than 8,900 bytes.
    public static var recordTooLong: Self { Self() }
}
