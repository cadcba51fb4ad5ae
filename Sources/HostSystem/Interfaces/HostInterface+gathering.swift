internal import DNSSD

extension HostInterface {
    /// One entry of the system's list: an interface with one of its addresses, or without an IP address.
    struct Entry: Hashable, Sendable {
        /// The interface's name, or a label of the address: `eth0:1` is a second address of `eth0`.
        let name: String

        /// The interface's flags.
        let flags: InterfaceFlags

        /// The address, four or sixteen bytes.
        var address: [UInt8]?

        /// The network mask, as long as the address.
        var mask: [UInt8]?
    }

    /// Returns the interfaces in a list, sorted.
    ///
    /// - Parameters:
    ///   - entries: The list, in the system's order.
    ///   - index: Returns the index of the interface with a name; 0 if it no longer exists.
    static func gathered(_ entries: [Entry], index: (String) -> UInt32) -> [HostInterface] {
        var found: [String: HostInterface] = [:]
        for entry in entries {
            // No interface has a colon in its name; the text after a colon is the label of an address.
            let name = String(entry.name.prefix { $0 != ":" })
            if found[name] == nil {
                let index = index(name)
                guard index > 0 else { continue }
                let interface = NetworkInterface(index: index, name: name)
                found[name] = HostInterface(interface: interface, flags: entry.flags, addresses: [])
            }
            guard let interface = found[name]?.interface, let bytes = entry.address else { continue }
            let address =
                IPv4Address(bytes: bytes).map(IPAddress.v4)
                ?? IPv6Address(bytes: bytes, scope: interface).map(IPAddress.v6)
            guard let address else { continue }
            let length = (entry.mask ?? []).reduce(0) { $0 + $1.nonzeroBitCount }
            found[name]?.addresses.append(InterfaceAddress(address: address, prefixLength: length))
        }
        return found.values.sorted { $0.interface < $1.interface }
    }
}
