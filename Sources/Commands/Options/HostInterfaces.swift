internal import DNSSD

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The network interfaces of this host, as far as a command line is concerned with them.
enum HostInterfaces {
    /// The names of all, sorted.
    static var names: [String] { all.map(\.name) }

    /// All, sorted.
    static var all: [NetworkInterface] {
        guard let list = if_nameindex() else { return [] }
        defer { if_freenameindex(list) }
        var interfaces: [NetworkInterface] = []
        var entry = list
        while entry.pointee.if_index != 0, let name = entry.pointee.if_name {
            interfaces.append(NetworkInterface(index: entry.pointee.if_index, name: String(cString: name)))
            entry += 1
        }
        return interfaces.sorted()
    }

    /// The names of those over which multicast DNS can reach another host: up, connected, with an address, and not
    /// loopback.
    static var connected: Set<String> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var names: Set<String> = []
        var entry = list
        while let interface = entry?.pointee {
            entry = interface.ifa_next
            let flags = Int32(truncatingIfNeeded: interface.ifa_flags)
            let isConnected = wanted.allSatisfy { flags & $0 != 0 } && flags & loopback == 0
            guard isConnected, let family = interface.ifa_addr?.pointee.sa_family else { continue }
            guard [AF_INET, AF_INET6].contains(Int32(family)) else { continue }
            names.insert(String(cString: interface.ifa_name))
        }
        return names
    }

    private static let wanted = [Int32(IFF_UP), Int32(IFF_RUNNING), Int32(IFF_MULTICAST)]
    private static let loopback = Int32(IFF_LOOPBACK)
}
