/// An IP address of either family.
public enum IPAddress: Hashable, Sendable {
    /// An IPv4 address.
    case v4(IPv4Address)

    /// An IPv6 address, which may have an IPv4 address inside: see ``unmapped``.
    case v6(IPv6Address)

    /// The family of the address.
    package var family: AddressFamily {
        switch self {
        case .v4: .ipv4
        case .v6: .ipv6
        }
    }

    /// The bytes in network order, four or sixteen.
    public var bytes: [UInt8] {
        switch self {
        case .v4(let address): address.bytes
        case .v6(let address): address.bytes
        }
    }

    /// The interface that a link-local IPv6 address belongs to.
    package var scope: NetworkInterface? {
        switch self {
        case .v4: nil
        case .v6(let address): address.scope
        }
    }

    /// Indicates whether the address refers to this host itself: 127.0.0.0/8, ::1 and ::ffff:127.0.0.0/104.
    public var isLoopback: Bool {
        switch unmapped {
        case .v4(let address): address.isLoopback
        case .v6(let address): address.isLoopback
        }
    }

    /// Indicates whether the address is valid on one link only: 169.254.0.0/16 or fe80::/10.
    public var isLinkLocal: Bool {
        switch unmapped {
        case .v4(let address): address.isLinkLocal
        case .v6(let address): address.isLinkLocal
        }
    }

    /// Indicates whether the address is unspecified: 0.0.0.0/8 or ::.
    public var isUnspecified: Bool {
        switch unmapped {
        case .v4(let address): address.isUnspecified
        case .v6(let address): address.isUnspecified
        }
    }

    /// Indicates whether the address names a group of hosts: 224.0.0.0/4 or ff00::/8.
    public var isMulticast: Bool {
        switch unmapped {
        case .v4(let address): address.isMulticast
        case .v6(let address): address.isMulticast
        }
    }

    /// The IPv4 address inside an IPv4-mapped IPv6 address; any other address unchanged.
    ///
    /// The properties above look through the mapping because the system does: ::ffff:127.0.0.1 reaches loopback.
    public var unmapped: IPAddress {
        if case .v6(let address) = self, let mapped = address.mappedIPv4 { return .v4(mapped) }
        return self
    }
}

extension IPAddress: LosslessStringConvertible {
    /// Reads an address without a scope, as ``IPv4Address`` and ``IPv6Address`` do.
    public init?(_ text: String) {
        self.init(text, interfaces: [])
    }

    /// Reads an address with a scope, which is looked up among `interfaces`; `nil` if the scope is not found there.
    package init?(_ text: String, interfaces: some Sequence<NetworkInterface>) {
        if let address = IPv4Address(text) {
            self = .v4(address)
        } else if let address = IPv6Address(text, interfaces: interfaces) {
            self = .v6(address)
        } else {
            return nil
        }
    }

    /// The address as text: dotted decimal, or the text of RFC 5952 with the scope, if there is one.
    public var description: String {
        switch self {
        case .v4(let address): address.description
        case .v6(let address): address.description
        }
    }
}

/// The two address families over which multicast DNS runs (RFC 6762 §3: 224.0.0.251 and ff02::fb).
package enum AddressFamily: String, Hashable, Sendable, CaseIterable, Comparable {
    /// IPv4, with the group 224.0.0.251.
    case ipv4

    /// IPv6, with the group ff02::fb.
    case ipv6

    /// Orders IPv4 before IPv6.
    package static func < (lhs: AddressFamily, rhs: AddressFamily) -> Bool {
        lhs == .ipv4 && rhs == .ipv6
    }
}
