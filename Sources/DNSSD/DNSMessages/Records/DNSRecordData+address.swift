/// Addresses, which are in records of two types.
extension DNSRecordData {
    /// Creates the data of an address: that of an A or an AAAA record.
    package init(_ address: IPAddress) {
        switch address {
        case .v4(let address): self = .a(address.bits)
        case .v6(let address): self = .aaaa(address.bits)
        }
    }

    /// Returns the address; `nil` if it is none.
    ///
    /// - Parameter interface: The link that an IPv6 address is on, if it is one of a link only.
    package func address(on interface: NetworkInterface? = nil) -> IPAddress? {
        switch self {
        case .a(let bits): .v4(IPv4Address(bits: bits))
        case .aaaa(let bits): .v6(IPv6Address(bits: bits, scope: interface))
        default: nil
        }
    }
}
