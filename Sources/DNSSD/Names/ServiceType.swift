/// A DNS-SD service type such as `_openclaw._tcp`, with the subtypes that narrow it, if any (RFC 6763 §7).
///
/// Two types are equal when their transports, their names (ignoring ASCII case) and their subtypes, in order, are
/// equal.
public struct ServiceType: Sendable, CustomStringConvertible {
    /// The transport of a service. RFC 6763 §7: `_tcp` for TCP, `_udp` for everything else.
    package enum Transport: String, Hashable, Sendable, CaseIterable {
        /// `_tcp`: the service is reached over TCP.
        case tcp

        /// `_udp`: the service is reached over UDP, or over any other protocol but TCP.
        case udp
    }

    /// The service name: 1–15 letters, digits and hyphens (RFC 6335 §5.1), lower-cased, without the underscore.
    public let name: String

    /// The transport of the service.
    package let transport: Transport

    /// The subtypes (RFC 6763 §7.1), each 1–63 bytes as given, usually with an underscore. No subtype occurs twice.
    public let subtypes: [String]

    /// Creates a type from its parts.
    ///
    /// - Parameters:
    ///   - name: The service name, without the underscore.
    ///   - transport: The transport of the service.
    ///   - subtypes: The subtypes, including the underscore if they have one.
    /// - Throws: ``DNSSDError`` when the name or a subtype breaks the rules.
    package init(
        name: String,
        transport: Transport = .tcp,
        subtypes: [String] = []
    ) throws(DNSSDError) {
        try Self.check(name: name)
        var distinct: [String] = []
        for subtype in subtypes {
            guard (1...DomainName.maximumLabelLength).contains(subtype.utf8.count) else {
                throw .invalidSubtype(subtype)
            }
            if !distinct.contains(where: { ASCIICase.equal($0.utf8, subtype.utf8) }) { distinct.append(subtype) }
        }
        self.init(checkedName: ASCIICase.lowered(name), transport: transport, subtypes: distinct)
    }

    /// Creates a type from parts that are known to be valid: for constants.
    package init(checkedName name: String, transport: Transport, subtypes: [String] = []) {
        self.name = name
        self.transport = transport
        self.subtypes = subtypes
    }

    /// The type without its subtypes. It is the type of every instance, whatever subtype the instance was found under.
    public var base: ServiceType {
        subtypes.isEmpty ? self : ServiceType(checkedName: name, transport: transport)
    }

    /// The names to browse for: the type itself, or each of its subtypes as `_home._sub._openclaw._tcp`; escaped.
    public var browseTypes: [String] {
        let base = "_\(name)._\(transport.rawValue)"
        guard !subtypes.isEmpty else { return [base] }
        return subtypes.map { "\(DomainName.escape(Array($0.utf8)))._sub.\(base)" }
    }

    /// The type as `_openclaw._tcp`, or with subtypes as `_openclaw._tcp,_home,_lab`. ``init(_:)`` reads it back.
    public var description: String {
        var text = "_\(name)._\(transport.rawValue)"
        for subtype in subtypes {
            text += ","
            for character in DomainName.escape(Array(subtype.utf8)).unicodeScalars {
                text.unicodeScalars.append(contentsOf: character == "," ? ["\\", ","] : [character])
            }
        }
        return text
    }
}

extension ServiceType: Hashable, Comparable {
    public static func == (lhs: ServiceType, rhs: ServiceType) -> Bool {
        lhs.transport == rhs.transport && lhs.name == rhs.name
            && lhs.subtypes.count == rhs.subtypes.count
            && zip(lhs.subtypes, rhs.subtypes).allSatisfy { ASCIICase.equal($0.utf8, $1.utf8) }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(transport)
        ASCIICase.hash(name.utf8, into: &hasher)
        hasher.combine(subtypes.count)
        for subtype in subtypes { ASCIICase.hash(subtype.utf8, into: &hasher) }
    }

    /// Orders by name, then transport, then subtypes.
    public static func < (lhs: ServiceType, rhs: ServiceType) -> Bool {
        if lhs.name != rhs.name { return lhs.name < rhs.name }
        if lhs.transport != rhs.transport { return lhs.transport.rawValue < rhs.transport.rawValue }
        for (left, right) in zip(lhs.subtypes, rhs.subtypes) {
            let order = ASCIICase.order(left.utf8, right.utf8)
            if order != 0 { return order < 0 }
        }
        return lhs.subtypes.count < rhs.subtypes.count
    }
}
