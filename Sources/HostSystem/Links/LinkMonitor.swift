internal import Glibc

/// A netlink socket that becomes readable when an interface or an address of this host has changed. The descriptor is
/// closed when the value is destroyed.
///
/// The messages themselves are discarded: changes come in bursts, and the system is asked for the complete state
/// afterwards.
package struct LinkMonitor: ~Copyable, Sendable {
    /// `sockaddr_nl`, which Glibc's module does not expose.
    private struct Address: BitwiseCopyable {
        var family: UInt16 = 16  // AF_NETLINK
        var padding: UInt16 = 0
        var process: UInt32 = 0
        var groups: UInt32 = 0x1 | 0x10 | 0x100  // RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV6_IFADDR
    }

    /// RTMGRP_IPV4_ROUTE and RTMGRP_IPV6_ROUTE.
    private static let routeGroups: UInt32 = 0x40 | 0x400

    /// The descriptor to watch. It belongs to this value; nobody else may close it.
    package let descriptor: CInt

    /// Opens the socket.
    ///
    /// - Parameter includingRoutes: Whether the socket also becomes readable when a route has changed.
    package init(includingRoutes: Bool = false) throws(SystemError) {
        var address = Address()
        if includingRoutes { address.groups |= Self.routeGroups }
        let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        // 0 is NETLINK_ROUTE.
        let descriptor = socket(CInt(address.family), type, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
        let code = withUnsafePointer(to: &address) { pointer in
            // Every socket address begins with its family; by that and the length the system recognizes the structure.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        let failure = errno
        guard code == 0 else {
            close(descriptor)
            throw SystemError(call: "bind", code: failure)
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Discards all pending messages. An overflow of the buffer also counts as a change, and its error is cleared by
    /// the first read.
    package func drain() {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        // The number of reads is limited, so that constant changes cannot hold the thread.
        for _ in 0..<1_024 {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 || count < 0 && errno != EAGAIN else { return }
        }
    }
}
