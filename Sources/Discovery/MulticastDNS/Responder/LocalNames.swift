internal import DNSSD

/// The DNS-SD names in the domain `local` (RFC 6763 §4, §7, §9).
enum LocalNames {
    /// `local`.
    static let local = DomainName.local

    /// The name that lists the service types on the link (RFC 6763 §9).
    static let types = DomainName.serviceTypes

    /// Returns the name of a service type, such as `_openclaw._tcp.local`.
    static func type(_ type: ServiceType) throws(DNSSDError) -> DomainName {
        try DomainName(labels: ["_\(type.name)", "_\(type.transport.rawValue)", "local"].map { Array($0.utf8) })
    }

    /// Returns the name of a subtype, such as `_home._sub._openclaw._tcp.local`.
    static func subtype(_ subtype: String, of type: ServiceType) throws(DNSSDError) -> DomainName {
        try self.type(type).prepending("_sub".utf8).prepending(subtype.utf8)
    }
}
