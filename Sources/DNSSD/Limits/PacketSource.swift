/// The sender of a packet on one link, identified by its source address, which anybody on the link can forge.
package struct PacketSource: Hashable, Sendable {
    /// The address; an IPv4 address in its IPv4-mapped form.
    private let bits: UInt128

    package init(_ address: IPAddress) {
        switch address {
        case .v4(let address): bits = 0xFFFF << 32 | UInt128(address.bits)
        case .v6(let address): bits = address.bits
        }
    }
}
