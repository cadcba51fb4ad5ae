public import DNSSD

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

extension LocalAddress {
    /// The addresses of this host as they are now, sorted; empty when the system does not tell.
    public static var all: [LocalAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: Set<LocalAddress> = []
        var entry = list
        while let current = entry?.pointee {
            entry = current.ifa_next
            guard let name = current.ifa_name else { continue }
            let interface = NetworkInterface(index: if_nametoindex(name), name: String(cString: name))
            guard let address = current.ifa_addr.flatMap({ address($0, of: interface) }) else { continue }
            let flags = Int32(truncatingIfNeeded: current.ifa_flags)
            let isOnNetwork = wanted.allSatisfy { flags & $0 != 0 } && flags & loopback == 0 && !address.isLoopback
            found.insert(LocalAddress(interface: interface, address: address, isOnNetwork: isOnNetwork))
        }
        return found.sorted()
    }

    /// Whether an address leads to this host itself.
    public static func isOfThisHost(_ address: IPAddress) -> Bool {
        isAny(of: all, address)
    }

    /// Whether an address is loopback, or one of these.
    static func isAny(of addresses: [LocalAddress], _ address: IPAddress) -> Bool {
        address.isLoopback || addresses.contains { $0.address.unmapped == address.unmapped }
    }

    private static let wanted = [Int32(IFF_UP), Int32(IFF_RUNNING), Int32(IFF_MULTICAST)]
    private static let loopback = Int32(IFF_LOOPBACK)

    private static func address(
        _ pointer: UnsafeMutablePointer<sockaddr>,
        of interface: NetworkInterface
    ) -> IPAddress? {
        let raw = UnsafeRawPointer(pointer)
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return withUnsafeBytes(of: address) { IPv4Address(bytes: Array($0)) }.map(IPAddress.v4)
        case AF_INET6:
            let address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: address) { IPv6Address(bytes: Array($0), scope: interface) }.map(IPAddress.v6)
        default:
            return nil
        }
    }
}
