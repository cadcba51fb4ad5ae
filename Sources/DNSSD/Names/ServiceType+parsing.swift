extension ServiceType {
    /// Reads a type as people and programs write it.
    ///
    /// The accepted forms are `_openclaw._tcp`, the same with `.local` or a trailing dot, Apple's
    /// `_openclaw._tcp,_home,_lab` and the RFC's `_home._sub._openclaw._tcp`. The case of ASCII letters does not
    /// matter.
    ///
    /// - Throws: ``DNSSDError``, whose message says what to write instead.
    public init(_ text: String) throws(DNSSDError) {
        var parts = Self.splitAtCommas(text)
        let main = parts.removeFirst()
        var labels = try Self.labels(of: main, in: text)
        var subtypes: [String] = []

        if labels.count > 2, ASCIICase.lowered(labels[1]) == "_sub" {
            subtypes.append(labels[0])
            labels.removeFirst(2)
        }
        for part in parts {
            let labels = try Self.labels(of: part, in: text)
            guard labels.count == 1 else { throw .invalidSubtype(part) }
            subtypes += labels
        }

        guard labels.count >= 2 else { throw .invalidServiceType(text, suggestion: Self.suggestion(for: labels)) }
        if labels.count > 2, labels.dropFirst(2).map({ ASCIICase.lowered($0) }) != ["local"] {
            throw .unexpectedDomain(text)
        }
        guard let name = Self.withoutUnderscore(labels[0]), let transportName = Self.withoutUnderscore(labels[1]) else {
            throw .missingUnderscore(text, suggestion: Self.suggestion(for: labels))
        }
        guard let transport = Transport(rawValue: ASCIICase.lowered(transportName)) else {
            throw .unknownTransport(labels[1])
        }
        try self.init(name: name, transport: transport, subtypes: subtypes)
    }

    /// Checks a service name by the rules of RFC 6335 §5.1.
    static func check(name: String) throws(DNSSDError) {
        let hyphen = UInt8(ascii: "-")
        var hasLetter = false
        var previous = hyphen
        for byte in name.utf8 {
            switch ASCIICase.lowered(byte) {
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                hasLetter = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                break
            case hyphen where previous != hyphen:
                break
            default:
                throw .invalidServiceName(name)
            }
            previous = byte
        }
        guard hasLetter, previous != hyphen else { throw .invalidServiceName(name) }
        guard name.utf8.count <= 15 else { throw .serviceNameTooLong(name) }
    }

    private static func withoutUnderscore(_ label: String) -> String? {
        label.utf8.first == UInt8(ascii: "_") ? String(label.dropFirst()) : nil
    }

    /// Returns the service type that was probably meant, if there is a plausible one.
    private static func suggestion(for labels: [String]) -> String? {
        guard let first = labels.first, labels.count <= 3 else { return nil }
        let name = withoutUnderscore(first) ?? first
        let second = labels.count > 1 ? ASCIICase.lowered(labels[1]) : "tcp"
        let transport = Transport(rawValue: withoutUnderscore(second) ?? second) ?? .tcp
        return (try? ServiceType(name: name, transport: transport))?.description
    }

    private static func labels(of text: String, in whole: String) throws(DNSSDError) -> [String] {
        var labels: [String] = []
        do {
            for label in try DomainName(escaped: text).labels {
                guard let label = String(validating: label, as: UTF8.self) else {
                    throw DNSSDError.invalidServiceType(whole, suggestion: nil)
                }
                labels.append(label)
            }
        } catch {
            throw .invalidServiceType(whole, suggestion: nil)
        }
        return labels
    }

    /// Splits Apple's notation; a comma after a backslash belongs to a subtype.
    private static func splitAtCommas(_ text: String) -> [String] {
        var parts: [String] = [""]
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == ",", !isEscaped {
                parts.append("")
            } else {
                parts[parts.count - 1].unicodeScalars.append(scalar)
            }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return parts
    }
}
