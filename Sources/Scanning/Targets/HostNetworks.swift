internal import DNSSD
internal import GatewayProtocol

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The networks that the interfaces of this host are in, as they are at one moment.
struct HostNetworks: Hashable, Sendable {
    /// The networks of all interfaces that are up.
    var prefixes: [TargetRules.Prefix] = []

    /// The interfaces on which only this host itself can be heard.
    var loopbacks: Set<UInt32> = []

    /// Asks the system.
    static var current: HostNetworks {
        var networks = HostNetworks()
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return networks }
        defer { freeifaddrs(list) }
        var entry = list
        while let interface = entry?.pointee {
            entry = interface.ifa_next
            let flags = Int32(truncatingIfNeeded: interface.ifa_flags)
            guard flags & Int32(IFF_UP) != 0 else { continue }
            if flags & Int32(IFF_LOOPBACK) != 0 {
                networks.loopbacks.insert(if_nametoindex(interface.ifa_name))
                continue
            }
            guard let address = address(at: interface.ifa_addr), let mask = bytes(of: interface.ifa_netmask) else {
                continue
            }
            let length = mask.reduce(0) { $0 + $1.nonzeroBitCount }
            networks.prefixes.append(TargetRules.Prefix(address: address, length: length))
        }
        return networks
    }

    private static func address(at pointer: UnsafeMutablePointer<sockaddr>?) -> IPAddress? {
        guard let bytes = bytes(of: pointer) else { return nil }
        if let address = IPv4Address(bytes: bytes) { return .v4(address) }
        return IPv6Address(bytes: bytes, scope: nil).map(IPAddress.v6)
    }

    /// The four or sixteen bytes of a socket address, or of a mask.
    private static func bytes(of pointer: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
        guard let pointer else { return nil }
        let raw = UnsafeRawPointer(pointer)
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
