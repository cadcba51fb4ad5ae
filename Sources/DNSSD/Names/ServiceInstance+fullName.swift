extension ServiceInstance {
    /// The name as one escaped label, as record browsers and zone files write it.
    public var escapedName: String { Self.escape(name) }

    /// The full name of the instance: `Foo\.bar._openclaw._tcp.local`, without the trailing dot.
    public var fullName: String { "\(escapedName).\(type).\(domain)" }

    /// Parses a full name (RFC 6763 §4.3).
    ///
    /// - Parameter fullName: An escaped name, with or without the trailing dot.
    /// - Throws: ``DNSSDError`` if it does not consist of name, type and domain.
    public init(fullName: String) throws(DNSSDError) {
        let name: DomainName
        do { name = try DomainName(escaped: fullName) } catch { throw .invalidFullName(error) }
        try self.init(name)
    }

    /// Parses the name of an SRV or TXT record.
    ///
    /// - Throws: ``DNSSDError`` if it does not consist of name, type and domain.
    public init(_ fullName: DomainName) throws(DNSSDError) {
        let labels = Array(fullName.labels)
        guard labels.count >= 4 else { throw .tooFewInstanceLabels }
        guard let name = String(validating: labels[0], as: UTF8.self) else { throw .instanceNameNotUTF8 }
        let type: ServiceType
        do {
            type = try ServiceType("\(DomainName.escape(labels[1])).\(DomainName.escape(labels[2]))")
        } catch {
            throw .invalidInstanceType(error)
        }
        let domain = labels.dropFirst(3).map { DomainName.escape($0) }.joined(separator: ".")
        try self.init(name: name, type: type, domain: domain)
    }

    /// Returns an instance name as one escaped label: `.` and `\` after a backslash, controls and space as `\DDD`.
    public static func escape(_ name: String) -> String { DomainName.escape(Array(name.utf8)) }

    /// Returns the instance name of an escaped label, in any form that Avahi, Apple or ``escape(_:)`` write.
    ///
    /// - Throws: ``DNSSDError``: `instanceNameNotUTF8`, or `invalidInstanceName` for a bad escape or length.
    public static func unescape(_ label: String) throws(DNSSDError) -> String {
        let bytes: [UInt8]
        do { bytes = try DomainName.unescape(label) } catch { throw .invalidInstanceName(error) }
        guard let name = String(validating: bytes, as: UTF8.self) else { throw .instanceNameNotUTF8 }
        return name
    }
}
