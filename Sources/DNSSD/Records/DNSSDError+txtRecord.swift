extension DNSSDError {
    private static func shown(key: String) -> String { shown(key, limit: 40) }

    static func invalidKey(_ key: String) -> DNSSDError {
        let expected = "A TXT key is at least one printable ASCII character, without ="
        return DNSSDError(.invalidKey, "\(expected); found \(shown(key: key)). Choose another key.")
    }

    static func repeatedKey(_ key: String) -> DNSSDError {
        DNSSDError(.repeatedKey, "A TXT key stands once, in any case; \(shown(key: key)) was given twice. Remove one.")
    }

    static func stringTooLong(key: String, length: Int) -> DNSSDError {
        let expected = "A TXT key and its value together have at most \(TXTRecord.maximumStringLength) bytes"
        return DNSSDError(.stringTooLong, "\(expected); those of \(shown(key: key)) have \(length). Shorten the value.")
    }

    static let tooManyEntries = DNSSDError(
        .tooManyEntries,
        "A TXT record has at most \(TXTRecord.maximumEntryCount) entries; this would be one more. Remove some."
    )

    static func recordTooLong(length: Int) -> DNSSDError {
        let expected = "A TXT record has at most \(TXTRecord.maximumLength) bytes"
        return DNSSDError(.recordTooLong, "\(expected); this one has \(length). Shorten or remove values.")
    }
}
