internal import DNSSD
internal import Glibc

extension Link {
    /// What the interfaces are that multicast DNS is spoken on: up, running, with multicast, neither loopback nor
    /// point-to-point. Sorted by interface.
    static func all() -> [Link] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var links: [String: Link] = [:]
        var next = list
        // The list is the system's and ends with a null pointer; it is freed when it has been read.
        while let entry = next {
            next = entry.pointee.ifa_next
            let flags = entry.pointee.ifa_flags
            let wanted = UInt32(IFF_UP) | UInt32(IFF_RUNNING) | UInt32(IFF_MULTICAST)
            let unwanted = UInt32(IFF_LOOPBACK) | UInt32(IFF_POINTOPOINT)
            guard flags & wanted == wanted, flags & unwanted == 0, let address = entry.pointee.ifa_addr else {
                continue
            }
            let index = if_nametoindex(entry.pointee.ifa_name)
            guard index > 0 else { continue }
            let interface = NetworkInterface(index: index, name: String(cString: entry.pointee.ifa_name))
            guard
                let own = SocketAddress(address, interface: interface)?.address,
                let mask = entry.pointee.ifa_netmask,
                let bits = SocketAddress(mask, interface: nil)?.address.bytes
            else { continue }
            let length = bits.reduce(0) { $0 + $1.nonzeroBitCount }
            links[interface.name, default: Link(interface: interface, prefixes: [])].prefixes
                .append(Prefix(address: own, length: length))
        }
        return links.values.sorted { $0.interface < $1.interface }
    }
}
