extension DNSSDError {
    static func invalidInstanceName(count: Int) -> DNSSDError {
        let expected = "An instance name has 1 to 63 bytes of UTF-8"
        let advice = count == 0 ? "Give it a name." : "Shorten it; one letter can take up to four bytes."
        return DNSSDError(.invalidInstanceName, "\(expected); this one has \(count). \(advice)")
    }

    static func invalidInstanceName(_ error: DNSSDError) -> DNSSDError {
        DNSSDError(.invalidInstanceName, "This is no escaped instance name. \(error.message)")
    }

    static let instanceNameNotUTF8 = DNSSDError(
        .instanceNameNotUTF8,
        "An instance name is UTF-8; these bytes are not. Whoever publishes it must correct it."
    )

    static func invalidInstanceType(_ error: DNSSDError) -> DNSSDError {
        DNSSDError(.invalidInstanceType, "Behind the instance name comes its service type. \(error.message)")
    }

    static func invalidInstanceDomain(_ error: DNSSDError) -> DNSSDError {
        DNSSDError(.invalidInstanceDomain, "The domain of a service instance does not fit. \(error.message)")
    }

    static let missingInstanceDomain = DNSSDError(
        .invalidInstanceDomain,
        "A service instance has a domain; this one is empty. Leave it out for local."
    )

    static func invalidFullName(_ error: DNSSDError) -> DNSSDError {
        DNSSDError(.invalidFullName, "This is no full name of a service instance. \(error.message)")
    }

    static let tooFewInstanceLabels = DNSSDError(
        .invalidFullName,
        #"A full name is name, type and domain, such as Home\032Gateway._openclaw._tcp.local; this one has too few parts."#
    )
}
