internal import DNSSD
internal import Glibc

/// A UDP socket that is never waited for. The descriptor is closed with the value.
struct UDPSocket: ~Copyable, Sendable {
    /// The most bytes of one multicast DNS packet (RFC 6762 §17).
    static let maximumLength = 9_000

    /// The descriptor, to be watched. It is this value's, and nobody else closes it.
    let descriptor: CInt

    let family: AddressFamily

    /// Opens a socket.
    init(_ family: AddressFamily) throws(SystemError) {
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

    /// Lets the system tell of each packet where it came in, how many hops it has left, and what was lost before it.
    func tellOrigins() throws(SystemError) {
        switch family {
        case .ipv4:
            try set(CInt(IPPROTO_IP), IP_PKTINFO, 1)
            try set(CInt(IPPROTO_IP), IP_RECVTTL, 1)
        case .ipv6:
            try set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, 1)
            try set(CInt(IPPROTO_IPV6), IPV6_RECVPKTINFO, 1)
            try set(CInt(IPPROTO_IPV6), IPV6_RECVHOPLIMIT, 1)
        }
        try set(SOL_SOCKET, SO_RXQ_OVFL, 1)
    }

    /// Sends multicast through this interface, with the hop limit of RFC 6762 §11.
    func multicast(through interface: NetworkInterface) throws(SystemError) {
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
    func makeRoom(bytes: Int) {
        try? set(SOL_SOCKET, SO_RCVBUF, CInt(clamping: bytes))
    }

    /// Takes a port of this host, on all addresses. 0 is one that is free.
    func bind(port: UInt16) throws(SystemError) {
        let any: IPAddress = family == .ipv4 ? .v4(IPv4Address(bits: 0)) : .v6(IPv6Address(bits: 0))
        let code = SocketAddress(any, port: port).withSocketAddress { Glibc.bind(descriptor, $0, $1) }
        guard code == 0 else { throw SystemError(call: "bind", code: errno) }
    }

    /// The port that it has been given.
    var port: UInt16? {
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

    // MARK: Packets

    /// Sends a packet, or throws it away: nothing that is sent here is worth waiting for.
    ///
    /// - Throws: What the system says, such as `ENETUNREACH` when the interface has just lost its address.
    func send(_ bytes: [UInt8], to destination: SocketAddress) throws(SystemError) {
        let count = destination.withSocketAddress { address, length in
            bytes.withUnsafeBytes { sendto(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL), address, length) }
        }
        guard count >= 0 else { throw SystemError(call: "sendto", code: errno) }
    }
}
