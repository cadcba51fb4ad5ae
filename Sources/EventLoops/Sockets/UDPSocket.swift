package import DNSSD
internal import Glibc

/// A UDP socket that is never waited for. The descriptor is closed with the value.
package struct UDPSocket: ~Copyable, Sendable {
    /// The most bytes of one multicast DNS packet (RFC 6762 §17).
    package static let maximumLength = 9_000

    /// The descriptor, to be watched. It is this value's, and nobody else closes it.
    package let descriptor: CInt

    package let family: AddressFamily

    /// Opens a socket.
    package init(_ family: AddressFamily) throws(SystemError) {
        let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family == .ipv4 ? AF_INET : AF_INET6, type, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
        self.descriptor = descriptor
        self.family = family
    }

    deinit {
        close(descriptor)
    }

    // MARK: Options

    /// Asks the system for where each packet came in, and how many hops it has left.
    package func receiveOrigins() throws(SystemError) {
        switch family {
        case .ipv4:
            try set(CInt(IPPROTO_IP), IP_PKTINFO, 1)
            try set(CInt(IPPROTO_IP), IP_RECVTTL, 1)
        case .ipv6:
            try set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, 1)
            try set(CInt(IPPROTO_IPV6), IPV6_RECVPKTINFO, 1)
            try set(CInt(IPPROTO_IPV6), IPV6_RECVHOPLIMIT, 1)
        }
    }

    /// Sends multicast through this interface, with the hop limit of RFC 6762 §11.
    package func multicast(through interface: NetworkInterface) throws(SystemError) {
        switch family {
        case .ipv4:
            var request = ip_mreqn()
            request.imr_ifindex = CInt(truncatingIfNeeded: interface.index)
            try setStructure(CInt(IPPROTO_IP), IP_MULTICAST_IF, request)
            try set(CInt(IPPROTO_IP), IP_MULTICAST_TTL, 255)
        case .ipv6:
            try set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_IF, CInt(truncatingIfNeeded: interface.index))
            try set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, 255)
        }
    }

    /// Asks for room for so many bytes that wait to be read. The system gives what it allows, and does not say no.
    package func makeRoom(bytes: Int) {
        try? set(SOL_SOCKET, SO_RCVBUF, CInt(clamping: bytes))
    }

    /// Keeps what is sent to the group from the other programs of this host.
    package func keepFromOwnHost() throws(SystemError) {
        switch family {
        case .ipv4: try set(CInt(IPPROTO_IP), IP_MULTICAST_LOOP, 0)
        case .ipv6: try set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_LOOP, 0)
        }
    }

    /// Keeps what is sent to the group on this host: what has no hop left is heard here and does not go out.
    package func keepToOwnHost() throws(SystemError) {
        switch family {
        case .ipv4: try set(CInt(IPPROTO_IP), IP_MULTICAST_TTL, 0)
        case .ipv6: try set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, 0)
        }
    }

    /// Takes a port of this host, on all addresses. 0 is one that is free.
    package func bind(port: UInt16) throws(SystemError) {
        try bind(to: SocketAddress(family == .ipv4 ? .v4(IPv4Address(bits: 0)) : .v6(IPv6Address(bits: 0)), port: port))
    }

    /// Takes an address with its port. With that of a group, only what is sent to the group comes in, and what goes out has
    /// the address of the host all the same.
    package func bind(to address: SocketAddress) throws(SystemError) {
        let code = address.withSocketAddress { Glibc.bind(descriptor, $0, $1) }
        guard code == 0 else { throw SystemError(call: "bind", code: errno) }
    }

    /// The port that it has been given.
    package var port: UInt16? {
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &name) { name in
            // A storage is as long and as aligned as any socket address.
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                guard getsockname(descriptor, name, &length) == 0 else { return nil }
                return SocketAddress(name, interface: nil)?.port
            }
        }
    }

    /// The number of packets that the socket has lost so far because there was no room for them; it begins anew after
    /// the highest number. 0 where the system does not tell (Linux does since 4.12).
    package var dropped: UInt32 {
        // Nine numbers (sock_diag(7)), of which the drops are the last.
        var numbers = SIMD16<UInt32>()
        var length = socklen_t(9 * MemoryLayout<UInt32>.size)
        let code = getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, &numbers, &length)
        return code == 0 ? numbers[8] : 0
    }

    private func set(_ level: CInt, _ name: CInt, _ value: CInt) throws(SystemError) {
        try setStructure(level, name, value)
    }

    /// Sets an option of a C type that has no pointer in it.
    private func setStructure(_ level: CInt, _ name: CInt, _ value: some BitwiseCopyable) throws(SystemError) {
        // The system copies the option before it returns.
        let code = withUnsafeBytes(of: value) {
            setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count))
        }
        guard code == 0 else { throw SystemError(call: "setsockopt", code: errno) }
    }

    // MARK: The shared port

    /// Lets other programs of this host have the same port: daemons, and more of our own (RFC 6762 §15).
    package func shareAddress() throws(SystemError) {
        try set(SOL_SOCKET, SO_REUSEADDR, 1)
        try set(SOL_SOCKET, SO_REUSEPORT, 1)
    }

    /// `ipv6_mreq`, whose union for the address is not plain bytes to Swift.
    private struct IPv6Membership: BitwiseCopyable {
        var group: UInt128
        var interface: UInt32
    }

    /// Hears a group on this interface, and on no other that another socket of this host has joined it on. What is sent
    /// to the group is heard by the other programs of this host too.
    package func join(_ group: IPAddress, on interface: NetworkInterface) throws(SystemError) {
        switch (family, group) {
        case (.ipv4, .v4(let group)):
            var request = ip_mreqn()
            request.imr_multiaddr.s_addr = group.bits.bigEndian
            request.imr_ifindex = CInt(truncatingIfNeeded: interface.index)
            try setStructure(CInt(IPPROTO_IP), IP_ADD_MEMBERSHIP, request)
            try set(CInt(IPPROTO_IP), IP_MULTICAST_ALL, 0)
            try set(CInt(IPPROTO_IP), IP_MULTICAST_LOOP, 1)
        case (.ipv6, .v6(let group)):
            let request = IPv6Membership(group: group.bits.bigEndian, interface: interface.index)
            try setStructure(CInt(IPPROTO_IPV6), IPV6_ADD_MEMBERSHIP, request)
            // Older kernels do not have it; then packets of other interfaces are told apart by where they came in.
            try? set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_ALL, 0)
            try set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_LOOP, 1)
        case (.ipv4, .v6), (.ipv6, .v4):
            // A family and its group go together.
            return
        }
    }

    // MARK: Packets

    /// Sends a packet, or throws it away: nothing that is sent here is worth waiting for.
    ///
    /// - Throws: What the system says, such as `ENETUNREACH` when the interface has just lost its address.
    package func send(_ bytes: [UInt8], to destination: SocketAddress) throws(SystemError) {
        let count = destination.withSocketAddress { address, length in
            bytes.withUnsafeBytes { sendto(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL), address, length) }
        }
        guard count >= 0 else { throw SystemError(call: "sendto", code: errno) }
    }
}
