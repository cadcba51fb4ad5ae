extension DNSSDError {
    static let emptyLabel = DNSSDError(
        .emptyLabel,
        "Every label of a domain name needs at least one byte; one is empty. Remove the doubled dot."
    )

    static func labelTooLong(count: Int) -> DNSSDError {
        DNSSDError(.labelTooLong, "A label of a domain name has at most 63 bytes; one has \(count). Shorten it.")
    }

    static let domainNameTooLong = DNSSDError(
        .domainNameTooLong,
        "A domain name has at most 255 bytes, length bytes included; this one has more. Shorten it."
    )

    static let invalidEscape = DNSSDError(
        .invalidEscape,
        #"After a backslash come three digits from 000 to 255, or one character; write a backslash itself as "\\"."#
    )

    static let truncatedName = DNSSDError(
        .truncatedName,
        "The name ends with a zero byte; these bytes end before it."
    )

    static let compressedName = DNSSDError(
        .compressedName,
        "A name outside its message is written out in full; this one holds a compression pointer or a reserved length."
    )
}
