internal import Glibc

extension HostInterface {
    /// All interfaces that this host has now, sorted, including those that are down and those without an address; empty
    /// if the system does not list them.
    package static var all: [HostInterface] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var entries: [Entry] = []
        var next = list
        // The list belongs to the system and ends with a null pointer; it is freed after it has been read.
        while let current = next?.pointee {
            next = current.ifa_next
            guard let name = current.ifa_name else { continue }
            entries.append(
                Entry(
                    name: String(cString: name),
                    flags: InterfaceFlags(system: Int32(truncatingIfNeeded: current.ifa_flags)),
                    address: bytes(of: current.ifa_addr),
                    mask: bytes(of: current.ifa_netmask)
                )
            )
        }
        return gathered(entries) { if_nametoindex($0) }
    }

    /// Returns the index that the interface with a name has now; `nil` if there is no such interface.
    package static func index(ofName name: String) -> UInt32? {
        let index = if_nametoindex(name)
        return index == 0 ? nil : index
    }

    /// Returns the name that the interface with an index has now; `nil` if there is no such interface.
    package static func name(ofIndex index: UInt32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IF_NAMESIZE)) { buffer in
            guard let base = buffer.baseAddress, if_indextoname(index, base) != nil else { return nil }
            return String(cString: base)
        }
    }

    /// Returns the four or sixteen bytes of a socket address; `nil` if its family is neither IPv4 nor IPv6.
    private static func bytes(of pointer: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
        guard let pointer else { return nil }
        let raw = UnsafeRawPointer(pointer)
        // The family says which structure it is, and the system always provides the whole structure.
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6:
            return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        default:
            return nil
        }
    }
}

extension InterfaceFlags {
    fileprivate init(system flags: Int32) {
        self = []
        let pairs: [(Int32, InterfaceFlags)] = [
            (Int32(IFF_UP), .up), (Int32(IFF_RUNNING), .running), (Int32(IFF_MULTICAST), .multicast),
            (Int32(IFF_LOOPBACK), .loopback), (Int32(IFF_POINTOPOINT), .pointToPoint),
        ]
        for (bit, flag) in pairs where flags & bit != 0 { insert(flag) }
    }
}
