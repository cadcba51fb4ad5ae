/// Why a text is no service type.
public struct ServiceTypeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is. More may be added.
    public struct Code: Hashable, Sendable {
        private enum Wrapped: String {
            case invalidForm, missingUnderscore, unknownTransport, invalidName, nameTooLong, invalidSubtype,
                unexpectedDomain
        }

        private let wrapped: Wrapped

        /// Not of the form `_name._tcp` or `_name._udp`.
        public static let invalidForm = Code(wrapped: .invalidForm)
        /// The name or the transport lacks its underscore.
        public static let missingUnderscore = Code(wrapped: .missingUnderscore)
        /// The second label is neither `_tcp` nor `_udp`.
        public static let unknownTransport = Code(wrapped: .unknownTransport)
        /// The name breaks the rules of RFC 6335 §5.1.
        public static let invalidName = Code(wrapped: .invalidName)
        /// The name has more than 15 characters.
        public static let nameTooLong = Code(wrapped: .nameTooLong)
        /// A subtype is empty or has more than 63 bytes.
        public static let invalidSubtype = Code(wrapped: .invalidSubtype)
        /// Another domain than `local` follows.
        public static let unexpectedDomain = Code(wrapped: .unexpectedDomain)
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

    private static func shown(_ text: String) -> String { "\u{201C}\(DisplayText(text, limit: 80))\u{201D}" }

    private static func question(_ suggestion: String?) -> String {
        suggestion.map { " Did you mean \($0)?" } ?? ""
    }

    static func invalidForm(_ text: String, suggestion: String?) -> ServiceTypeError {
        let expected = "A service type looks like _openclaw._tcp"
        return ServiceTypeError(.invalidForm, "\(expected); found \(shown(text)).\(question(suggestion))")
    }

    static func missingUnderscore(_ text: String, suggestion: String?) -> ServiceTypeError {
        let expected = "Both parts of a service type begin with an underscore"
        return ServiceTypeError(.missingUnderscore, "\(expected); found \(shown(text)).\(question(suggestion))")
    }

    static func unknownTransport(_ label: String) -> ServiceTypeError {
        let expected = "A service type ends in _tcp or _udp"
        return ServiceTypeError(
            .unknownTransport,
            "\(expected); found \(shown(label)). Use _udp for everything that is not TCP."
        )
    }

    static func invalidName(_ name: String) -> ServiceTypeError {
        let expected = "A service name has letters, digits and single hyphens between them, at least one letter"
        return ServiceTypeError(.invalidName, "\(expected); found \(shown(name)). Correct the name.")
    }

    static func nameTooLong(_ name: String) -> ServiceTypeError {
        let found = "\(shown(name)) has \(name.utf8.count)"
        return ServiceTypeError(.nameTooLong, "A service name has at most 15 characters; \(found). Shorten it.")
    }

    static func invalidSubtype(_ subtype: String) -> ServiceTypeError {
        let expected = "A subtype is one label of 1 to 63 bytes, such as _home"
        return ServiceTypeError(.invalidSubtype, "\(expected); found \(shown(subtype)). Correct or remove it.")
    }

    static func unexpectedDomain(_ text: String) -> ServiceTypeError {
        let expected = "A service type stands alone or before .local"
        return ServiceTypeError(.unexpectedDomain, "\(expected); found \(shown(text)). Give another domain by itself.")
    }
}
