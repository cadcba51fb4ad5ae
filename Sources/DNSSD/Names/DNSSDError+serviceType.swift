extension DNSSDError {
    private static func question(_ suggestion: String?) -> String {
        suggestion.map { " Did you mean \($0)?" } ?? ""
    }

    static func invalidServiceType(_ text: String, suggestion: String?) -> DNSSDError {
        let expected = "A service type looks like _openclaw._tcp"
        return DNSSDError(.invalidServiceType, "\(expected); found \(shown(text)).\(question(suggestion))")
    }

    static func missingUnderscore(_ text: String, suggestion: String?) -> DNSSDError {
        let expected = "Both parts of a service type begin with an underscore"
        return DNSSDError(.missingUnderscore, "\(expected); found \(shown(text)).\(question(suggestion))")
    }

    static func unknownTransport(_ label: String) -> DNSSDError {
        let expected = "A service type ends in _tcp or _udp"
        return DNSSDError(
            .unknownTransport,
            "\(expected); found \(shown(label)). Use _udp for everything that is not TCP."
        )
    }

    static func invalidServiceName(_ name: String) -> DNSSDError {
        let expected = "A service name has letters, digits and single hyphens between them, at least one letter"
        return DNSSDError(.invalidServiceName, "\(expected); found \(shown(name)). Correct the name.")
    }

    static func serviceNameTooLong(_ name: String) -> DNSSDError {
        let found = "\(shown(name)) has \(name.utf8.count)"
        return DNSSDError(.serviceNameTooLong, "A service name has at most 15 characters; \(found). Shorten it.")
    }

    static func invalidSubtype(_ subtype: String) -> DNSSDError {
        let expected = "A subtype is one label of 1 to 63 bytes, such as _home"
        return DNSSDError(.invalidSubtype, "\(expected); found \(shown(subtype)). Correct or remove it.")
    }

    static func unexpectedDomain(_ text: String) -> DNSSDError {
        let expected = "A service type stands alone or before .local"
        return DNSSDError(.unexpectedDomain, "\(expected); found \(shown(text)). Give another domain by itself.")
    }
}
