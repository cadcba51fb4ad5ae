package import DNSSD

extension NeighbourTable {
    /// The kernel's neighbour table as it is now; empty when the system does not tell.
    ///
    /// It is asked in one go, without waiting: a fraction of a millisecond for a network of ordinary size.
    package static var current: NeighbourTable { dump() ?? NeighbourTable() }

    /// The table; `nil` when the system does not tell, or not to the end.
    static func dump() -> NeighbourTable? {
        var table = NeighbourTable()
        let sequence = UInt32(1)
        let isWhole = NetlinkSocket.ask(request(sequence: sequence)) { table.take($0, sequence: sequence) }
        return isWhole ? table : nil
    }

    /// Makes the kernel find out the hardware address of a neighbour, which is in the table a moment later if it is there.
    ///
    /// An empty packet goes to its discard port (RFC 863): before that the kernel asks by ARP or neighbour discovery.
    package static func solicit(_ address: IPAddress) {
        guard let socket = try? UDPSocket(address.family) else { return }
        // That there is no way to it is for the table to tell.
        try? socket.send([], to: SocketAddress(address, port: 9))
    }
}
