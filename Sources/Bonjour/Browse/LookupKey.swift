internal import DNSSD

/// A question about one instance or host on one interface.
enum LookupKey: Hashable, Sendable {
    /// The SRV and TXT records of an instance, once.
    case resolve(ServiceInstance, interface: UInt32)

    /// The A or AAAA records of a host.
    case addresses(DomainName, AddressFamily, interface: UInt32)

    /// The TXT record of an instance, for as long as the instance is there.
    case text(ServiceInstance, interface: UInt32)

    /// The question to put to the library.
    var inquiry: Inquiry {
        switch self {
        case .resolve(let name, let interface): .resolve(name, interface: interface)
        case .addresses(let host, let family, let interface): .addresses(host, family, interface: interface)
        case .text(let name, let interface): .text(name, interface: interface)
        }
    }
}
