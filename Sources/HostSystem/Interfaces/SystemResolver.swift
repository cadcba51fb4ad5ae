package import DNSSD
internal import Glibc

/// The system's resolver, which uses its files and name servers. It blocks a thread until it answers or gives up, which
/// may take half a minute: so it is asked on threads of its own, of which there are few, and not longer waited for than
/// the caller wants to.
package enum SystemResolver {
    /// The threads that it may block, shared by all callers.
    private static let threads = BlockingCalls(most: 8)

    /// Returns the addresses of a host, each once; empty if it has none, `nil` if the time is up or the task is cancelled
    /// first.
    package static func addresses(of host: String, within limit: Duration) async -> [IPAddress]? {
        await answer(within: limit) { addresses(of: host) }
    }

    /// Returns the name of an address; `nil` if it has none, the time is up or the task is cancelled. Untrusted: whoever
    /// answers for the network chooses it.
    package static func name(of address: IPAddress, within limit: Duration) async -> String? {
        await answer(within: limit) { name(of: address) } ?? nil
    }

    private static func answer<Answer: Sendable>(
        within limit: Duration,
        _ call: @escaping @Sendable () -> Answer
    ) async -> Answer? {
        let (answers, continuation) = AsyncStream<Answer>.makeStream()
        let end = ContinuousClock.now + limit
        // It cannot be cancelled; its answer is dropped when nobody waits for it any more.
        threads.run {
            if .now < end { continuation.yield(call()) }
            continuation.finish()
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        defer { timer.cancel() }
        for await answer in answers { return answer }
        return nil
    }

    private static func addresses(of host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
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

    private static func name(of address: IPAddress) -> String? {
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
