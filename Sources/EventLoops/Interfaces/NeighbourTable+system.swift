#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension NeighbourTable {
    /// The kernel's neighbour table as it is now; empty when the system does not tell.
    ///
    /// It is asked in one go, without waiting: a fraction of a millisecond for a network of ordinary size.
    package static var current: NeighbourTable {
        #if os(Linux)
        return dump() ?? NeighbourTable()
        #else
        return NeighbourTable()
        #endif
    }

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

    /// The table; `nil` when the system does not tell, or not to the end.
    static func dump() -> NeighbourTable? {
        var address = NetlinkAddress()
        #if canImport(Musl)
        let type = SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK
        #else
        let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #endif
        // 0 is NETLINK_ROUTE.
        let descriptor = socket(CInt(address.family), type, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let sequence = UInt32(1)
        let request = request(sequence: sequence)
        let sent = withUnsafePointer(to: &address) { pointer in
            // Every socket address begins with its family, and the system reads it by that, and by the length.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, request, request.count, 0, $0, socklen_t(MemoryLayout<NetlinkAddress>.size))
            }
        }
        guard sent == request.count else { return nil }
        var table = NeighbourTable()
        var buffer = [UInt8](repeating: 0, count: chunkLength)
        for _ in 0..<maximumReads {
            let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            switch table.take(buffer[..<count], sequence: sequence) {
            case .incomplete: continue
            case .complete: return table
            case .failed: return nil
            }
        }
        return nil
    }
    #endif
}
