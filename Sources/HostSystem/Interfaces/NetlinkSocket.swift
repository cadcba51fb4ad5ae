internal import Glibc

/// The netlink socket on which the kernel answers requests for its tables. A socket is opened for each request.
enum NetlinkSocket {
    /// `sockaddr_nl` of <linux/netlink.h>, which Swift's module for the C library does not expose.
    private struct NetlinkAddress: BitwiseCopyable {
        var family: UInt16 = 16  // AF_NETLINK
        var padding: UInt16 = 0
        var process: UInt32 = 0
        var groups: UInt32 = 0
    }

    /// The maximum number of bytes per read. The kernel never puts more into one packet of an answer.
    private static let chunkLength = 64 << 10

    /// The maximum number of reads: far more than a full table takes.
    private static let maximumReads = 1_024

    /// Sends a request and passes on every part of the answer until it is complete. This never waits: the kernel has
    /// the first part ready when it accepts the request, and the next one whenever it hands one out.
    ///
    /// - Returns: Whether the answer was complete.
    static func ask(_ request: [UInt8], _ take: (ArraySlice<UInt8>) -> NetlinkMessage.Progress) -> Bool {
        var address = NetlinkAddress()
        let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        // 0 is NETLINK_ROUTE.
        let descriptor = socket(CInt(address.family), type, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let sent = withUnsafePointer(to: &address) { pointer in
            // Every socket address begins with its family; by that and the length the system recognizes the structure.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, request, request.count, 0, $0, socklen_t(MemoryLayout<NetlinkAddress>.size))
            }
        }
        guard sent == request.count else { return false }
        var buffer = [UInt8](repeating: 0, count: chunkLength)
        for _ in 0..<maximumReads {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            switch take(buffer[..<count]) {
            case .incomplete: continue
            case .complete: return true
            case .failed: return false
            }
        }
        return false
    }
}
