internal import DNSSD
internal import Dispatch
internal import HostInterfaces

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// The addresses of a host that the user named. Nothing that the network says is ever looked up here.
enum HostAddresses {
    /// Asks the system's resolver; `nil` when it does not answer in time.
    static func of(_ host: String, within limit: Duration) async -> [IPAddress]? {
        if let literal = IPAddress(host, interfaces: HostInterface.all.map(\.interface)) { return [literal] }
        let (answers, continuation) = AsyncStream<[IPAddress]>.makeStream()
        // It blocks, and cannot be told to stop; when nobody waits any more, its answer goes nowhere.
        DispatchQueue.global().async {
            continuation.yield(resolved(host))
            continuation.finish()
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        defer { timer.cancel() }
        for await addresses in answers { return addresses }
        return nil
    }

    /// Why a name that was looked up has no addresses, for people.
    static func absence(of host: String) -> String {
        if let percent = host.firstIndex(of: "%"), IPAddress(String(host[..<percent])) != nil {
            let names = HostInterface.all.map(\.interface.name).joined(separator: ", ")
            return "there is no interface “\(host[host.index(after: percent)...])”; this host has: \(names)"
        }
        return "there is no host of the name \(host)"
    }

    private static func resolved(_ host: String) -> [IPAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
        hints.ai_socktype = SOCK_STREAM
        #endif
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
