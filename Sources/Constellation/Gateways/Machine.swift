/// The machine that has an address, as this host's own kernel knows it: no packet from the network says so.
public enum Machine: Hashable, Sendable {
    /// This host.
    case thisHost

    /// The neighbour with this hardware address.
    case neighbour(hardwareAddress: [UInt8])
}
