package import DNSSD
internal import Glibc

/// A question to hosts that says no more than that they are there, or that a program listens: whether they accept the beginning
/// of a connection, or refuse it.
package enum Knock {
    /// The discard port (RFC 863), at which hardly anything listens: a host that has nothing there refuses.
    private static let port: UInt16 = 9

    /// Returns those of some addresses that answer. Blocks until all have, or the time is up.
    package static func answering(_ addresses: [IPAddress], within limit: Duration) -> Set<IPAddress> {
        let answers = answers(at: addresses.map { Endpoint(address: $0, port: port) }, within: limit)
        return Set(answers.map(\.endpoint.address))
    }

    /// Returns those of some endpoints that accept connections. Blocks until all have answered, or the time is up.
    package static func open(_ endpoints: [Endpoint], within limit: Duration) -> [Endpoint] {
        answers(at: endpoints, within: limit).filter(\.isOpen).map(\.endpoint)
    }

    private static func answers(
        at endpoints: [Endpoint],
        within limit: Duration
    ) -> [(endpoint: Endpoint, isOpen: Bool)] {
        let deadline = ContinuousClock.now + limit
        var found: [(endpoint: Endpoint, isOpen: Bool)] = []
        var waiting: [(endpoint: Endpoint, descriptor: CInt)] = []
        defer { for (_, descriptor) in waiting { close(descriptor) } }
        for endpoint in endpoints {
            let address = endpoint.address
            let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(address.family == .ipv4 ? AF_INET : AF_INET6, type, 0)
            guard descriptor >= 0 else { continue }
            let result = SocketAddress(address, port: endpoint.port).withSocketAddress { connect(descriptor, $0, $1) }
            if result != 0, errno == EINPROGRESS {
                waiting.append((endpoint, descriptor))
            } else {
                if result == 0 || errno == ECONNREFUSED { found.append((endpoint, result == 0)) }
                close(descriptor)
            }
        }
        while !waiting.isEmpty {
            let left = Int((deadline - .now) / .milliseconds(1))
            guard left > 0 else { break }
            var descriptors = waiting.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
            let ready = poll(&descriptors, nfds_t(descriptors.count), CInt(clamping: left))
            guard ready > 0 || ready < 0 && errno == EINTR else { break }
            for (index, entry) in descriptors.enumerated().reversed() where entry.revents != 0 {
                let (endpoint, descriptor) = waiting.remove(at: index)
                var code: CInt = 0
                var length = socklen_t(MemoryLayout<CInt>.size)
                let isKnown = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0
                if isKnown, code == 0 || code == ECONNREFUSED { found.append((endpoint, code == 0)) }
                close(descriptor)
            }
        }
        return found
    }
}
