internal import DNSSD

/// The addresses that count as one where connections are counted: an IPv4 address, a link-local IPv6 address on its link, or
/// the /64 of any other IPv6 address, since one host can have all addresses of that.
struct AddressGroup: Hashable, Sendable {
    private let bytes: [UInt8]
    private let interface: UInt32

    init(_ address: IPAddress) {
        // Two spellings of one address are one victim.
        let address = address.unmapped
        let isNetwork = address.family == .ipv6 && !address.isLinkLocal && !address.isLoopback
        self.bytes = isNetwork ? Array(address.bytes.prefix(8)) : address.bytes
        self.interface = address.scope?.index ?? 0
    }
}
