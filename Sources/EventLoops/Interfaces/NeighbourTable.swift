package import DNSSD

/// A table of the hardware addresses that the neighbours of this host were last reached at: what the kernel learned by
/// ARP (RFC 826) and neighbour discovery (RFC 4861), as it was at one moment.
///
/// It is as trustworthy as the link: who is on it can answer for any address there. Unlike a DNS record it cannot be wrong
/// about a neighbour that this host talks to.
package struct NeighbourTable: Hashable, Sendable {
    /// The highest number of entries that are kept: a scan of a large network must not fill memory.
    package static let maximumEntries = 16_384

    /// The hardware addresses by interface index, for each address without its scope.
    private var entries: [IPAddress: [UInt32: HardwareAddress]] = [:]

    /// The number of entries.
    package private(set) var count = 0

    /// An empty table.
    package init() {}

    /// Indicates whether the table is empty.
    package var isEmpty: Bool { count == 0 }

    /// Notes where an address was reached; past ``maximumEntries`` nothing more.
    package mutating func insert(_ hardware: HardwareAddress, for address: IPAddress, interface: UInt32) {
        let known = entries[Self.unscoped(address)]?[interface]
        guard known != nil || count < Self.maximumEntries else { return }
        if known == nil { count += 1 }
        entries[Self.unscoped(address), default: [:]][interface] = hardware
    }

    /// The hardware address that an address was reached at.
    ///
    /// - Parameters:
    ///   - address: A link-local IPv6 address is looked up on the interface of its scope.
    ///   - interface: Where to look; without it, everywhere.
    /// - Returns: `nil` when none is known, or different ones are on several interfaces.
    package func hardwareAddress(of address: IPAddress, on interface: NetworkInterface? = nil) -> HardwareAddress? {
        let address = address.unmapped
        guard let found = entries[Self.unscoped(address)] else { return nil }
        if let interface = interface ?? address.scope { return found[interface.index] }
        let distinct = Set(found.values)
        return distinct.count == 1 ? distinct.first : nil
    }

    private static func unscoped(_ address: IPAddress) -> IPAddress {
        switch address {
        case .v4: address
        case .v6(let address): .v6(IPv6Address(bits: address.bits))
        }
    }
}
