internal import DNSSD
internal import Glibc

/// A TCP connection that never blocks. The descriptor is closed when the value is destroyed.
package struct StreamSocket: ~Copyable, Sendable {
    /// The outcome of an attempt to read.
    package enum Reading {
        case bytes([UInt8])

        /// Nothing has come yet.
        case nothing

        /// The peer has ended the connection.
        case end
    }

    /// The descriptor to watch. It belongs to this value; nobody else may close it.
    package let descriptor: CInt

    /// Begins to connect. The socket is writable once that has succeeded or failed.
    package init(connectingTo peer: SocketAddress) throws(SystemError) {
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(peer.address.family == .ipv4 ? AF_INET : AF_INET6, type, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
        guard peer.withSocketAddress({ connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS else {
            let code = errno
            close(descriptor)
            throw SystemError(call: "connect", code: code)
        }
        self.descriptor = descriptor
        // Small messages follow one another: none waits for the acknowledgement of the one before.
        var one: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Writes as much as there is room for; nothing while it is connecting.
    ///
    /// - Returns: The number of bytes that were written.
    /// - Throws: The system's error, such as `ECONNREFUSED` where nothing listens.
    package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        let count = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        if count < 0, [EAGAIN, EINTR, ENOTCONN].contains(errno) { return 0 }
        guard count >= 0 else { throw SystemError(call: "send", code: errno) }
        return count
    }

    /// Reads what has come, up to a number of bytes.
    ///
    /// - Throws: The system's error, such as `ECONNREFUSED` where nothing listens.
    package func read(most: Int) throws(SystemError) -> Reading {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0, [EAGAIN, EINTR].contains(errno) { return .nothing }
        guard count >= 0 else { throw SystemError(call: "recv", code: errno) }
        return count == 0 ? .end : .bytes(Array(bytes.prefix(count)))
    }
}
