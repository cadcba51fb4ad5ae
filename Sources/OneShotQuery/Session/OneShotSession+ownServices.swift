internal import DNSMessages
package import DNSSD
internal import HostSystem

/// Finding out which of the services that lead to this host are its own: see ``OwnServices``.
extension OneShotSession {
    /// The largest number of packets that are read from one port in one turn.
    private static let answersPerTurn = 16

    /// Handles sightings that the backend has resolved, or about which it knows something new, on the session's thread,
    /// soon.
    package nonisolated func backendResolved(_ sightings: [Sighting]) {
        loop.later { [weak self] in
            self?.assumeIsolated { $0.look(at: sightings) }
        }
    }

    private func look(at sightings: [Sighting]) {
        guard !hasEnded else { return }
        // Of thousands of services, few lead to this host, and packets that are arriving at the ports must not wait for
        // the others.
        let relevant = sightings.filter { sighting in
            ownServices.isAsking || sighting.addresses.contains { ownAddresses.contains($0) }
        }
        guard !relevant.isEmpty else { return }
        for sighting in relevant {
            guard let path = pathForOwnHost(sighting.path) else { continue }
            ownServices.sighted(sighting, on: path, isOwnAddress: { ownAddresses.contains($0) }, now: clock.now)
        }
        update()
    }

    /// Returns the path on which this host is asked for a sighting: a backend that does not distinguish address
    /// families has one path for both.
    private func pathForOwnHost(_ path: ServicePath) -> ServicePath? {
        if query.activePaths.contains(path) { return path }
        return query.activePaths.first { $0.interface == path.interface }
    }

    /// Returns the addresses of this host on all interfaces.
    static func addressesOfThisHost() -> Set<IPAddress> {
        Set(HostInterface.all.flatMap { $0.addresses.map(\.address) })
    }

    /// Asks the questions that are due, and closes the ports on which no answer is expected any more.
    func askOwnHost(now: ContinuousClock.Instant) {
        for question in ownServices.takeQuestions(now: now) {
            guard let port = try? ownHostPort(of: question.path) else { continue }
            let group = MulticastGroup.address(of: question.path.family, on: question.path.interface)
            for packet in OwnHostQuestion(id: port.id).packets([question.name], type: .srv) {
                try? port.socket.send(packet, to: SocketAddress(group, port: MulticastGroup.port))
            }
        }
        for (path, port) in ownHostPorts where port.end <= now || !query.activePaths.contains(path) {
            loop.unwatch(port.socket.descriptor)
            ownHostPorts[path] = nil
        }
    }

    private func ownHostPort(of path: ServicePath) throws(SystemError) -> LocalQuerySocket {
        if let port = ownHostPorts[path] {
            port.extend(now: clock.now)
            return port
        }
        let port = try LocalQuerySocket(on: path, id: UInt16.random(in: 1...UInt16.max), now: clock.now)
        ownHostPorts[path] = port
        loop.watch(port.socket.descriptor) { [weak self] in
            self?.assumeIsolated { $0.hearOwnHost(path) }
        }
        return port
    }

    private func hearOwnHost(_ path: ServicePath) {
        guard let port = ownHostPorts[path] else { return }
        var own: [Sighting] = []
        reading: for _ in 0..<Self.answersPerTurn {
            switch reader.read(port.socket, interface: path.interface) {
            case .datagram(let datagram):
                guard let link = query.link(of: path),
                    let message = OwnHostQuestion(id: port.id)
                        .answer(in: datagram.bytes, from: datagram.source.endpoint, on: link)
                else { continue }
                own += ownServices.takeAnswer(message, from: datagram.source.address, on: path)
            case .nothing: continue
            case .empty: break reading
            }
        }
        if !own.isEmpty { reportOwn(own) }
        update()
    }
}
