package import DNSSD
internal import Glibc

/// A non-blocking UDP socket. The descriptor is closed when the value is destroyed.
package struct UDPSocket: ~Copyable, Sendable {
    /// The maximum size of a multicast DNS packet in bytes (RFC 6762 §17).
    package static let maximumLength = 9_000

    /// The descriptor to watch. It belongs to this value; nobody else may close it.
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

    /// Makes the system report on which interface each packet arrived, and its remaining hop limit.
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

    /// Sends multicast packets through this interface, with the hop limit of RFC 6762 §11.
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

    /// Asks for a receive buffer of this size. The system grants as much as it allows, and never refuses.
    package func makeRoom(bytes: Int) {
        try? set(SOL_SOCKET, SO_RCVBUF, CInt(clamping: bytes))
    }

    /// Keeps packets to the group from being delivered to the other programs of this host.
    package func disableMulticastLoopback() throws(SystemError) {
        switch family {
        case .ipv4: try set(CInt(IPPROTO_IP), IP_MULTICAST_LOOP, 0)
        case .ipv6: try set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_LOOP, 0)
        }
    }

    /// Keeps packets to the group on this host: with a hop limit of zero they are delivered here but not sent out.
    package func limitToThisHost() throws(SystemError) {
        switch family {
        case .ipv4: try set(CInt(IPPROTO_IP), IP_MULTICAST_TTL, 0)
        case .ipv6: try set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_HOPS, 0)
        }
    }

    /// Binds the socket to a port on all addresses of this host. Port 0 selects a free one.
    package func bind(port: UInt16) throws(SystemError) {
        try bind(to: SocketAddress(family == .ipv4 ? .v4(IPv4Address(bits: 0)) : .v6(IPv6Address(bits: 0)), port: port))
    }

    /// Binds the socket to an address and port. Bound to the address of a group, the socket receives only packets to
    /// the group; packets that it sends still carry an address of the host.
    package func bind(to address: SocketAddress) throws(SystemError) {
        let code = address.withSocketAddress { Glibc.bind(descriptor, $0, $1) }
        guard code == 0 else { throw SystemError(call: "bind", code: errno) }
    }

    /// The port to which the socket is bound.
    package var port: UInt16? {
        var name = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &name) { name in
            // A `sockaddr_storage` is as long and as aligned as any socket address.
            name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                guard getsockname(descriptor, name, &length) == 0 else { return nil }
                return SocketAddress(name, interface: nil)?.port
            }
        }
    }

    /// The number of packets that the socket has lost so far because its buffer was full. The counter wraps around to
    /// 0; it is also 0 if the system does not report it (Linux does since 4.12).
    package var dropped: UInt32 {
        // The option has nine numbers (sock_diag(7)); the last one is the number of drops.
        var numbers = SIMD16<UInt32>()
        var length = socklen_t(9 * MemoryLayout<UInt32>.size)
        let code = getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, &numbers, &length)
        return code == 0 ? numbers[8] : 0
    }

    private func set(_ level: CInt, _ name: CInt, _ value: CInt) throws(SystemError) {
        try setStructure(level, name, value)
    }

    /// Sets an option to a value of a C type that contains no pointer.
    private func setStructure(_ level: CInt, _ name: CInt, _ value: some BitwiseCopyable) throws(SystemError) {
        // The system copies the option before it returns.
        let code = withUnsafeBytes(of: value) {
            setsockopt(descriptor, level, name, $0.baseAddress, socklen_t($0.count))
        }
        guard code == 0 else { throw SystemError(call: "setsockopt", code: errno) }
    }

    // MARK: The shared port

    /// Lets other programs of this host use the same port: daemons, and other processes of our own (RFC 6762 §15).
    package func shareAddress() throws(SystemError) {
        try set(SOL_SOCKET, SO_REUSEADDR, 1)
        try set(SOL_SOCKET, SO_REUSEPORT, 1)
    }

    /// `ipv6_mreq`; Swift does not treat the union that holds its address as plain bytes.
    private struct IPv6Membership: BitwiseCopyable {
        var group: UInt128
        var interface: UInt32
    }

    /// Joins a group on this interface only: its packets on other interfaces, on which other sockets of this host have
    /// joined it, are not received. Packets sent to the group are also delivered to the other programs of this host.
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
            // Older kernels lack this option; packets from other interfaces are then recognized by where they arrived.
            try? set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_ALL, 0)
            try set(CInt(IPPROTO_IPV6), IPV6_MULTICAST_LOOP, 1)
        case (.ipv4, .v6), (.ipv6, .v4):
            // A group of the other family cannot be joined.
            return
        }
    }

    // MARK: Packets

    /// Sends a packet, or drops it if the socket is not ready: no packet sent here is worth waiting for.
    ///
    /// - Throws: The system's error, such as `ENETUNREACH` when the interface has just lost its address.
    package func send(_ bytes: [UInt8], to destination: SocketAddress) throws(SystemError) {
        let count = destination.withSocketAddress { address, length in
            bytes.withUnsafeBytes { sendto(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL), address, length) }
        }
        guard count >= 0 else { throw SystemError(call: "sendto", code: errno) }
    }
}

/// The exchange with one peer alone.
extension UDPSocket {
    /// Binds the socket to a peer, at a port of this host that the system draws at random: packets from elsewhere are not
    /// received, and a peer that has nothing at its port is noticed.
    package func connect(to peer: SocketAddress) throws(SystemError) {
        let code = peer.withSocketAddress { Glibc.connect(descriptor, $0, $1) }
        guard code == 0 else { throw SystemError(call: "connect", code: errno) }
    }

    /// Sends a packet to the peer.
    package func send(_ bytes: [UInt8]) throws(SystemError) {
        let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard count >= 0 else { throw SystemError(call: "send", code: errno) }
    }

    /// Reads the next packet of the peer; `nil` if there is none. What is beyond a length is lost.
    ///
    /// - Throws: The system's error, such as `ECONNREFUSED` where nothing listens.
    package func receive(most: Int) throws(SystemError) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0, errno == EAGAIN || errno == EINTR { return nil }
        guard count >= 0 else { throw SystemError(call: "recv", code: errno) }
        return Array(bytes.prefix(count))
    }
}

/// A counter of the packets that a socket loses.
package struct DropCounter {
    private var counted: UInt32 = 0

    package init() {}

    /// Returns the number of packets that the socket has lost since the last call.
    package mutating func take(from socket: borrowing UDPSocket) -> Int {
        let dropped = socket.dropped
        defer { counted = dropped }
        return Int(dropped &- counted)
    }
}
