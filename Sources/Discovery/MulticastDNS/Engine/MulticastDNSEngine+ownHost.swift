internal import DNSSD
internal import HostSystem

/// Questions about the services that other programs of this host publish.
extension MulticastDNSEngine {
    /// Asks this host for the names that the querier of a path has not asked for yet. Nothing of that goes out to the
    /// link.
    func askOwnHost(on path: ServicePath) {
        guard let names = ports[path]?.querier.unasked, !names.isEmpty else { return }
        // Without a port, these services are found a second later.
        try? ownHostPorts.ask(
            on: path,
            group: MulticastGroup.endpoint(on: path),
            now: clock.now,
            { OwnHostQuestion(id: $0).packets(names) },
            whenReadable: { [weak self] in self?.assumeIsolated { $0.hearOwnHost(path) } }
        )
    }

    private func hearOwnHost(_ path: ServicePath) {
        let drops = ownHostPorts.read(path, with: &reader) { datagram, id in
            guard let port = ports[path], let link = links[path.interface.index],
                let message = OwnHostQuestion(id: id)
                    .answer(in: datagram.bytes, from: datagram.source.endpoint, on: link)
            else { return }
            var origin = Querier.Origin(datagram.source.address)
            origin.isOfThisHost = true
            port.querier.receiveLegacy(message, from: origin, now: clock.now, using: &random)
            limitInstances(port)
        }
        if note(drops, on: path) { ports[path]?.querier.lost(now: clock.now) }
        turn()
    }
}
