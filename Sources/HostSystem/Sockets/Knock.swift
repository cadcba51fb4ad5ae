package import DNSSD
internal import Glibc

/// A question to hosts that says no more than that they are there, or that a program listens: whether they accept the beginning
/// of a connection, or refuse it.
package enum Knock {
    /// The discard port (RFC 863), at which hardly anything listens: a host that has nothing there refuses.
    private static let port: UInt16 = 9

    /// The errors that say that the system, or this process, has no socket to give at the moment.
    private static let shortages: Set = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    /// The time after which one is asked for again.
    private static let retryInterval = 20

    /// Returns those of some addresses that answer. Blocks until all have, or the time is up.
    package static func answering(_ addresses: [IPAddress], within limit: Duration) -> Set<IPAddress> {
        let answers = answers(at: addresses.map { Endpoint(address: $0, port: port) }, within: limit)
        return Set(answers.map(\.endpoint.address))
    }

    /// Returns those of some endpoints that accept connections. Blocks until all have answered, or the time is up.
    package static func open(_ endpoints: [Endpoint], within limit: Duration) -> [Endpoint] {
        open(endpoints, within: limit, by: makeSocket)
    }

    static func open(_ endpoints: [Endpoint], within limit: Duration, by make: (CInt) -> CInt) -> [Endpoint] {
        answers(at: endpoints, within: limit, by: make).filter(\.isOpen).map(\.endpoint)
    }

    private static func makeSocket(_ family: CInt) -> CInt {
        socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }

    /// - Parameter make: Makes the socket of a family; negative if there is none, with the reason in `errno`.
    private static func answers(
        at endpoints: [Endpoint],
        within limit: Duration,
        by make: (CInt) -> CInt = makeSocket
    ) -> [(endpoint: Endpoint, isOpen: Bool)] {
        let deadline = ContinuousClock.now + limit
        var found: [(endpoint: Endpoint, isOpen: Bool)] = []
        var rest = endpoints[...]
        var waiting: [(endpoint: Endpoint, descriptor: CInt)] = []
        defer { for (_, descriptor) in waiting { close(descriptor) } }
        while true {
            while let endpoint = rest.first {
                let address = endpoint.address
                let descriptor = make(address.family == .ipv4 ? AF_INET : AF_INET6)
                // The rest is asked once others have answered, or somebody else has closed some.
                if descriptor < 0, shortages.contains(errno) { break }
                rest.removeFirst()
                guard descriptor >= 0 else { continue }
                let place = SocketAddress(address, port: endpoint.port)
                let result = place.withSocketAddress { connect(descriptor, $0, $1) }
                if result != 0, errno == EINPROGRESS {
                    waiting.append((endpoint, descriptor))
                } else {
                    if result == 0 || errno == ECONNREFUSED { found.append((endpoint, result == 0)) }
                    close(descriptor)
                }
            }
            let left = Int((deadline - .now) / .milliseconds(1))
            guard left > 0, !waiting.isEmpty || !rest.isEmpty else { break }
            var descriptors = waiting.map { pollfd(fd: $0.descriptor, events: Int16(POLLOUT), revents: 0) }
            let pause = rest.isEmpty ? left : min(left, retryInterval)
            let ready = poll(&descriptors, nfds_t(descriptors.count), CInt(clamping: pause))
            guard ready >= 0 || errno == EINTR else { break }
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
