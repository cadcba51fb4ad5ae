package import DNSSD
internal import Glibc

/// The system's resolver, which uses its files and name servers.
package enum SystemResolver {
    /// Returns the addresses of a host by the system's resolver, each once; empty if it finds none. Blocks the calling
    /// thread.
    package static func addresses(of host: String) -> [IPAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var entry = list
        while let info = entry?.pointee {
            entry = info.ai_next
            guard let address = info.ai_addr.flatMap(address), !addresses.contains(address) else { continue }
            addresses.append(address)
        }
        return addresses
    }

    /// Returns the name of an address by the system's resolver; `nil` if it has none. Untrusted: whoever answers for the
    /// network chooses it. Blocks the calling thread.
    package static func name(of address: IPAddress) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            let status = SocketAddress(address, port: 0).withSocketAddress { pointer, length in
                getnameinfo(pointer, length, buffer.baseAddress, socklen_t(buffer.count), nil, 0, NI_NAMEREQD)
            }
            guard status == 0, let end = buffer.firstIndex(of: 0) else { return nil }
            let name = String(validating: buffer[..<end].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return name?.isEmpty == false ? name : nil
        }
    }

    private static func address(_ pointer: UnsafeMutablePointer<sockaddr>) -> IPAddress? {
        let raw = UnsafeRawPointer(pointer)
        switch Int32(pointer.pointee.sa_family) {
        case AF_INET:
            let address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return withUnsafeBytes(of: address) { IPv4Address(bytes: Array($0)) }.map(IPAddress.v4)
        case AF_INET6:
            let socket = raw.loadUnaligned(as: sockaddr_in6.self)
            let scope = HostInterface.all.map(\.interface).first { $0.index == socket.sin6_scope_id }
            return withUnsafeBytes(of: socket.sin6_addr) { IPv6Address(bytes: Array($0), scope: scope) }
                .map(IPAddress.v6)
        default:
            return nil
        }
    }
}
