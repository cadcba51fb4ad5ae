internal import DNSSD

/// A question about one instance or host on one interface.
enum LookupKey: Hashable, Sendable {
    /// SRV and TXT.
    case resolve(ServiceInstance, interface: UInt32)

    /// A or AAAA.
    case addresses(DomainName, AddressFamily, interface: UInt32)

    /// TXT, for as long as the instance is there.
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
