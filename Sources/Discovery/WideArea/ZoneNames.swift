internal import DNSSD

/// The names of DNS-SD in a domain (RFC 6763 §4, §7, §9), and those by which we keep publications apart.
struct ZoneNames: Hashable, Sendable {
    /// The domain.
    let domain: DomainName

    /// The name that lists the service types of the domain.
    let types: DomainName

    /// - Throws: When the domain is too long for names below it.
    init(_ domain: DomainName) throws(DNSSDError) {
        self.domain = domain
        self.types = try Self.name(["_services", "_dns-sd", "_udp"], domain)
    }

    /// Returns the name of a service type, such as `_openclaw._tcp` and the domain.
    func type(_ type: ServiceType) throws(DNSSDError) -> DomainName {
        try Self.name(["_\(type.name)", "_\(type.transport.rawValue)"], domain)
    }

    /// Returns the name of a subtype, such as `_home._sub._openclaw._tcp` and the domain.
    func subtype(_ subtype: String, of type: ServiceType) throws(DNSSDError) -> DomainName {
        try self.type(type).prepending("_sub".utf8).prepending(subtype.utf8)
    }

    /// Returns the name of a host, below one of its own: no host is in the way of a site's domain.
    func host(_ label: String) throws(DNSSDError) -> DomainName {
        try Self.name([label, "hosts"], domain)
    }

    /// Returns the name of the lease of an instance.
    static func lease(of instance: DomainName) throws(DNSSDError) -> DomainName {
        try instance.prepending("_lease".utf8)
    }

    /// Returns the name by which browsers of the domain above find this one (RFC 6763 §11); `nil` if there is none above.
    static func pointer(to domain: DomainName) throws(DNSSDError) -> DNSRecord? {
        guard let parent = domain.parent, !parent.isRoot else { return nil }
        return DNSRecord(
            name: try name(["lb", "_dns-sd", "_udp"], parent),
            ttl: ZoneRecords.ttl,
            data: .ptr(domain)
        )
    }

    private static func name(_ labels: [String], _ domain: DomainName) throws(DNSSDError) -> DomainName {
        var name = domain
        for label in labels.reversed() { name = try name.prepending(label.utf8) }
        return name
    }
}
