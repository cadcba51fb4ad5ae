package import DNSSD

extension NeighbourTable {
    /// The kernel's neighbour table as it is now; empty if the system does not provide it.
    ///
    /// Reading it does not block: it takes a fraction of a millisecond on a network of ordinary size.
    package static var current: NeighbourTable { dump() ?? NeighbourTable() }

    /// Returns the table; `nil` if the system does not provide it, or not completely.
    static func dump() -> NeighbourTable? {
        var table = NeighbourTable()
        let sequence = UInt32(1)
        let isWhole = NetlinkSocket.ask(request(sequence: sequence)) { table.take($0, sequence: sequence) }
        return isWhole ? table : nil
    }

    /// Makes the kernel resolve the hardware address of a neighbour; if the neighbour exists, it is in the table a
    /// moment later.
    ///
    /// An empty packet is sent to the neighbour's discard port (RFC 863): before sending it the kernel asks for the
    /// address by ARP or neighbour discovery.
    package static func solicit(_ address: IPAddress) {
        guard let socket = try? UDPSocket(address.family) else { return }
        // If the address cannot be reached, it will be missing from the table.
        try? socket.send([], to: SocketAddress(address, port: 9))
    }
}
