package import DNSSD

/// A table of the hardware addresses at which the neighbours of this host were last reached. It is a copy of what the
/// kernel had learned by ARP (RFC 826) and neighbour discovery (RFC 4861) at one moment.
///
/// It is as trustworthy as the link: anybody on the link can answer for any address there. Unlike a DNS record, it
/// cannot be wrong about a neighbour with which this host exchanges packets.
package struct NeighbourTable: Hashable, Sendable {
    /// The maximum number of entries that are kept, so that a scan of a large network cannot fill memory.
    package static let maximumEntries = 16_384

    /// The hardware addresses by interface index, for each address (without its scope).
    private var entries: [IPAddress: [UInt32: HardwareAddress]] = [:]

    /// The number of entries.
    package private(set) var count = 0

    /// Creates an empty table.
    package init() {}

    /// Indicates whether the table is empty.
    package var isEmpty: Bool { count == 0 }

    /// Records where an address was reached; beyond ``maximumEntries`` no new address is added.
    package mutating func insert(_ hardware: HardwareAddress, for address: IPAddress, interface: UInt32) {
        let known = entries[Self.unscoped(address)]?[interface]
        guard known != nil || count < Self.maximumEntries else { return }
        if known == nil { count += 1 }
        entries[Self.unscoped(address), default: [:]][interface] = hardware
    }

    /// Returns the hardware address at which an address was reached.
    ///
    /// - Parameters:
    ///   - address: The address. A link-local IPv6 address is looked up on the interface of its scope.
    ///   - interface: The interface on which to look; without it, all interfaces.
    /// - Returns: `nil` if none is known, or if several interfaces have different ones.
    package func hardwareAddress(of address: IPAddress, on interface: NetworkInterface? = nil) -> HardwareAddress? {
        let address = address.unmapped
        guard let found = entries[Self.unscoped(address)] else { return nil }
        if let interface = interface ?? address.scope { return found[interface.index] }
        let distinct = Set(found.values)
        return distinct.count == 1 ? distinct.first : nil
    }

    /// Returns the IPv4 addresses on an interface, sorted, at most so many.
    package func addresses(on interface: UInt32, most: Int) -> [IPAddress] {
        let found = entries.filter { $0.key.family == .ipv4 && $0.value[interface] != nil }.map(\.key)
        return Array(found.sorted { $0.description < $1.description }.prefix(most))
    }

    private static func unscoped(_ address: IPAddress) -> IPAddress {
        switch address {
        case .v4: address
        case .v6(let address): .v6(IPv6Address(bits: address.bits))
        }
    }
}
