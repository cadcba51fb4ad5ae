#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// The socket on which the kernel answers questions about its tables. It is opened for one question.
enum NetlinkSocket {
    #if os(Linux)
    /// `sockaddr_nl` of <linux/netlink.h>, which Swift's module for the C library does not show.
    private struct NetlinkAddress: BitwiseCopyable {
        var family: UInt16 = 16  // AF_NETLINK
        var padding: UInt16 = 0
        var process: UInt32 = 0
        var groups: UInt32 = 0
    }

    /// The number of bytes that are read in one go. The kernel never puts more into one packet of an answer.
    private static let chunkLength = 64 << 10

    /// The highest number of reads: far more than a full table takes.
    private static let maximumReads = 1_024
    #endif

    /// Asks, and hands over what is read until the answer is complete, without waiting: the kernel has the first part ready
    /// when it takes the question, and the next when it hands one out.
    ///
    /// - Returns: Whether it was complete. Elsewhere than on Linux it never is.
    static func ask(_ request: [UInt8], _ take: (ArraySlice<UInt8>) -> NetlinkMessage.Progress) -> Bool {
        #if os(Linux)
        var address = NetlinkAddress()
        #if canImport(Musl)
        let type = SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK
        #else
        let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #endif
        // 0 is NETLINK_ROUTE.
        let descriptor = socket(CInt(address.family), type, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let sent = withUnsafePointer(to: &address) { pointer in
            // Every socket address begins with its family, and the system reads it by that, and by the length.
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
        #endif
        return false
    }
}
