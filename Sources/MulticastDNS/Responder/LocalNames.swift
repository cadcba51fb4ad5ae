internal import DNSSD

/// The names of DNS-SD in the domain of the link (RFC 6763 §4, §7, §9), and of reverse mapping (RFC 1035 §3.5, RFC 3596
/// §2.5).
enum LocalNames {
    /// `local`.
    static let local = name(["local"])

    /// What lists the types that are there (RFC 6763 §9).
    static let types = name(["_services", "_dns-sd", "_udp", "local"])

    /// `_openclaw._tcp.local`
    static func type(_ type: ServiceType) throws(DNSSDError) -> DomainName {
        try DomainName(labels: ["_\(type.name)", "_\(type.transport.rawValue)", "local"].map { Array($0.utf8) })
    }

    /// `_home._sub._openclaw._tcp.local`
    static func subtype(_ subtype: String, of type: ServiceType) throws(DNSSDError) -> DomainName {
        try self.type(type).prepending("_sub".utf8).prepending(subtype.utf8)
    }

    /// Where the name of an address stands.
    static func reverse(of address: IPAddress) -> DomainName {
        switch address {
        case .v4(let address):
            name(address.bytes.reversed().map { "\($0)" } + ["in-addr", "arpa"])
        case .v6(let address):
            name(
                address.bytes.reversed().flatMap { [String($0 & 15, radix: 16), String($0 >> 4, radix: 16)] }
                    + ["ip6", "arpa"]
            )
        }
    }

    /// A name of labels that are known to be short enough.
    private static func name(_ labels: [String]) -> DomainName {
        (try? DomainName(labels: labels.map { Array($0.utf8) })) ?? .root
    }
}
