/// Why something is no service instance.
public struct ServiceInstanceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is. More may be added.
    public struct Code: Hashable, Sendable {
        private enum Wrapped: String {
            case invalidName, notUTF8, invalidType, invalidDomain, invalidFullName
        }

        private let wrapped: Wrapped

        /// The instance name is empty, has more than 63 bytes, or is wrongly escaped.
        public static let invalidName = Code(wrapped: .invalidName)
        /// The instance name is not UTF-8 (RFC 6763 §4.1.1).
        public static let notUTF8 = Code(wrapped: .notUTF8)
        /// The labels behind the name are no service type.
        public static let invalidType = Code(wrapped: .invalidType)
        /// The domain is missing or is no domain name, or makes the full name too long.
        public static let invalidDomain = Code(wrapped: .invalidDomain)
        /// The text is not name, type and domain.
        public static let invalidFullName = Code(wrapped: .invalidFullName)
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

    static func invalidName(count: Int) -> ServiceInstanceError {
        let expected = "An instance name has 1 to 63 bytes of UTF-8"
        let advice = count == 0 ? "Give it a name." : "Shorten it; one letter can take up to four bytes."
        return ServiceInstanceError(.invalidName, "\(expected); this one has \(count). \(advice)")
    }

    static func invalidName(_ error: DomainNameError) -> ServiceInstanceError {
        ServiceInstanceError(.invalidName, "This is no escaped instance name. \(error.message)")
    }

    static let notUTF8 = ServiceInstanceError(
        .notUTF8,
        "An instance name is UTF-8; these bytes are not. Whoever publishes it must correct it."
    )

    static func invalidType(_ error: ServiceTypeError) -> ServiceInstanceError {
        ServiceInstanceError(.invalidType, "Behind the instance name comes its service type. \(error.message)")
    }

    static func invalidDomain(_ error: DomainNameError) -> ServiceInstanceError {
        ServiceInstanceError(.invalidDomain, "The domain of a service instance does not fit. \(error.message)")
    }

    static let missingDomain = ServiceInstanceError(
        .invalidDomain,
        "A service instance has a domain; this one is empty. Leave it out for local."
    )

    static func invalidFullName(_ error: DomainNameError) -> ServiceInstanceError {
        ServiceInstanceError(.invalidFullName, "This is no full name of a service instance. \(error.message)")
    }

    static let tooFewLabels = ServiceInstanceError(
        .invalidFullName,
        #"A full name is name, type and domain, such as Home\032Gateway._openclaw._tcp.local; this one has too few parts."#
    )
}
