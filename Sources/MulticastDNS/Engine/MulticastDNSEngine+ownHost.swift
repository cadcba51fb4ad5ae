internal import DNSMessages
internal import DNSSD
internal import HostSystem

/// Questions about the services that other programs of this host publish.
extension MulticastDNSEngine {
    /// Asks this host for the names that the querier of a path has not asked for yet. Nothing of that goes out to the
    /// link.
    func askOwnHost(on path: ServicePath) {
        guard let names = ports[path]?.querier.unasked, !names.isEmpty else { return }
        // Without such a port, these services are found a second later.
        guard let port = try? ownHostPort(of: path) else { return }
        let group = MulticastGroup.address(of: path.family, on: path.interface)
        let target = SocketAddress(group, port: MulticastGroup.port)
        for packet in OwnHostQuestion(id: port.id).packets(names) { try? port.socket.send(packet, to: target) }
    }

    /// Returns the port of a path. The port of a browse that has just begun also serves the next one.
    private func ownHostPort(of path: ServicePath) throws(SystemError) -> LocalQuerySocket {
        if let port = ownHostPorts[path] {
            port.extend(now: clock.now)
            return port
        }
        let id = UInt16.random(in: 1...UInt16.max, using: &random)
        let port = try LocalQuerySocket(on: path, id: id, receiveBuffer: configuration.receiveBuffer, now: clock.now)
        ownHostPorts[path] = port
        loop.watch(port.socket.descriptor) { [weak self] in
            self?.assumeIsolated { $0.hearOwnHost(path) }
        }
        return port
    }

    private func hearOwnHost(_ path: ServicePath) {
        guard let own = ownHostPorts[path] else { return }
        reading: for _ in 0..<Self.packetsPerTurn {
            switch reader.read(own.socket, interface: path.interface) {
            case .datagram(let datagram):
                guard let port = ports[path], let link = links[path.interface.index],
                    let message = OwnHostQuestion(id: own.id)
                        .answer(in: datagram.bytes, from: datagram.source.endpoint, on: link)
                else { continue }
                var origin = Querier.Origin(datagram.source.address)
                origin.isOfThisHost = true
                port.querier.receiveLegacy(message, from: origin, now: clock.now, using: &random)
                limitInstances(port)
            case .nothing: continue
            case .empty: break reading
            }
        }
        if note(own.drops.take(from: own.socket), on: path) { ports[path]?.querier.lost(now: clock.now) }
        turn()
    }

    /// Closes the ports that are no longer needed.
    ///
    /// - Parameter now: The present time; `nil` closes all of them.
    func closeOwnHostPorts(until now: ContinuousClock.Instant?) {
        for (path, port) in ownHostPorts where now.map({ port.end <= $0 }) ?? true {
            loop.unwatch(port.socket.descriptor)
            ownHostPorts[path] = nil
        }
    }
}
