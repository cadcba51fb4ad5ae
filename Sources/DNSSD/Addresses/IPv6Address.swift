/// An IPv6 address, with the interface on which it is valid if it needs one.
public struct IPv6Address: Hashable, Sendable {
    // A `UInt128` would align each value that has an address to 16 bytes.
    private let high: UInt64
    private let low: UInt64
    private let boxedScope: Boxed<NetworkInterface>?

    /// The address as a number: ::1 is 1.
    public var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    /// The interface that a link-local address, unicast or multicast, belongs to (RFC 4007 §11); without it the address
    /// cannot be connected to.
    ///
    /// It is `nil` for all other addresses, so that one global address seen through two interfaces is one address.
    package var scope: NetworkInterface? { boxedScope?.value }

    /// Creates an address from its number, whose highest byte is the address's first.
    public init(bits: UInt128) {
        self.init(bits: bits, scope: nil)
    }

    /// Creates an address from its number, with the interface on which it was seen, which is kept only if the address is
    /// valid on one link only.
    package init(bits: UInt128, scope: NetworkInterface?) {
        self.high = UInt64(truncatingIfNeeded: bits >> 64)
        self.low = UInt64(truncatingIfNeeded: bits)
        let isOfALink = bits >> 118 == 0x3FA || bits >> 112 & 0xFF0F == 0xFF02
        self.boxedScope = isOfALink ? scope.map(Boxed.init) : nil
    }

    /// Creates an address from its bytes, in network order; `nil` unless there are exactly sixteen.
    public init?(bytes: some Collection<UInt8>) {
        self.init(bytes: bytes, scope: nil)
    }

    /// Creates an address from its bytes, in network order, with the interface on which it was seen.
    package init?(bytes: some Collection<UInt8>, scope: NetworkInterface?) {
        guard bytes.count == 16 else { return nil }
        self.init(bits: bytes.reduce(0) { $0 << 8 | UInt128($1) }, scope: scope)
    }

    /// The sixteen bytes in network order.
    public var bytes: [UInt8] {
        stride(from: UInt128(120), through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
    }

    /// ::1, this host itself.
    public var isLoopback: Bool { bits == 1 }

    /// fe80::/10: valid on one link only.
    public var isLinkLocal: Bool { bits >> 118 == 0x3FA }

    /// ::, the unspecified address; connecting to it reaches this host itself.
    public var isUnspecified: Bool { bits == 0 }

    /// ff00::/8: a group of hosts.
    public var isMulticast: Bool { bits >> 120 == 0xFF }

    /// The IPv4 address inside an IPv4-mapped address, ::ffff:0:0/96 (RFC 4291 §2.5.5.2).
    public var mappedIPv4: IPv4Address? {
        bits >> 32 == 0xFFFF ? IPv4Address(bits: UInt32(truncatingIfNeeded: bits)) : nil
    }
}
