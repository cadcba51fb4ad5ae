package import DNSSD
internal import Glibc

/// A reader that takes packets out of sockets, with its own buffers.
package struct DatagramReader {
    /// The outcome of an attempt to read.
    package enum Reading {
        case datagram(Datagram)

        /// A packet that was too long or had no readable source, or an error left by an earlier send: read on.
        case nothing

        /// No packet is left.
        case empty
    }

    private var payload = [UInt8](repeating: 0, count: UDPSocket.maximumLength)
    private var control = [UInt8](repeating: 0, count: 256)

    package init() {}

    /// Reads the next packet.
    ///
    /// - Parameters:
    ///   - socket: The socket to read from.
    ///   - interface: The interface to which a link-local source address belongs.
    package mutating func read(_ socket: borrowing UDPSocket, interface: NetworkInterface?) -> Reading {
        var name = sockaddr_storage()
        var message = msghdr()
        let descriptor = socket.descriptor
        var count = 0
        var source: SocketAddress?
        var controlCount = 0
        payload.withUnsafeMutableBytes { payload in
            control.withUnsafeMutableBytes { control in
                withUnsafeMutablePointer(to: &name) { name in
                    var part = iovec(iov_base: payload.baseAddress, iov_len: payload.count)
                    // The message points to these four buffers during the call, and none of them moves in that time.
                    withUnsafeMutablePointer(to: &part) { part in
                        message.msg_name = UnsafeMutableRawPointer(name)
                        message.msg_namelen = socklen_t(MemoryLayout<sockaddr_storage>.size)
                        message.msg_iov = part
                        message.msg_iovlen = 1
                        message.msg_control = control.baseAddress
                        message.msg_controllen = control.count
                        count = recvmsg(descriptor, &message, 0)
                    }
                    guard count >= 0 else { return }
                    // A `sockaddr_storage` is as long and as aligned as any socket address.
                    source = name.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        SocketAddress($0, interface: interface)
                    }
                    controlCount = min(message.msg_controllen, control.count)
                }
            }
        }
        guard count >= 0 else { return errno == EAGAIN || errno == EBADF ? .empty : .nothing }
        guard message.msg_flags & CInt(MSG_TRUNC) == 0, let source else { return .nothing }
        let origin = ControlMessages(control[..<controlCount])
        return .datagram(
            Datagram(
                bytes: Array(payload[..<count]),
                source: source,
                interface: origin.interface,
                hopLimit: origin.hopLimit
            )
        )
    }
}

/// A packet that has arrived.
package struct Datagram: Hashable, Sendable {
    /// The payload of the packet.
    package let bytes: [UInt8]

    /// The address and port of the sender; a link-local address has the interface of the packet as its scope.
    package let source: SocketAddress

    /// The index of the interface that it came in through; 0 if the system did not say.
    package let interface: UInt32

    /// The number of hops that were left to the packet: 255 if it came through no router. `nil` if the system did not
    /// say.
    package let hopLimit: UInt8?
}
