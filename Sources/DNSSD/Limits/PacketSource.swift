/// The sender of a packet on one link, by its source address. Anybody on the link can write what they like there.
package struct PacketSource: Hashable, Sendable {
    /// The address; an IPv4 address in its mapped form.
    private let bits: UInt128

    package init(_ address: IPAddress) {
        switch address {
        case .v4(let address): bits = 0xFFFF << 32 | UInt128(address.bits)
        case .v6(let address): bits = address.bits
        }
    }
}
