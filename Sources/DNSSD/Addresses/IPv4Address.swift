/// An IPv4 address.
public struct IPv4Address: Hashable, Sendable {
    /// The address as a number: 127.0.0.1 is 0x7F000001.
    public let bits: UInt32

    /// Creates an address from its number, whose highest byte is the address's first.
    public init(bits: UInt32) {
        self.bits = bits
    }

    /// Creates an address from its bytes, in network order; `nil` unless there are exactly four.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 4 else { return nil }
        self.init(bits: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// The four bytes in network order.
    public var bytes: [UInt8] {
        stride(from: UInt32(24), through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> $0) }
    }

    /// 127.0.0.0/8: this host itself.
    public var isLoopback: Bool { bits >> 24 == 127 }

    /// 169.254.0.0/16: valid on one link only (RFC 3927).
    public var isLinkLocal: Bool { bits >> 16 == 0xA9FE }

    /// 0.0.0.0/8: "this network" (RFC 1122 §3.2.1.3); connecting to 0.0.0.0 reaches this host itself.
    public var isUnspecified: Bool { bits >> 24 == 0 }

    /// 224.0.0.0/4: a group of hosts.
    public var isMulticast: Bool { bits >> 28 == 0xE }
}
