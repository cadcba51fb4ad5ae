package import DNSSD
internal import HostSystem

/// Finding out which of the services that lead to this host are its own: see ``OwnServices``.
extension OneShotSession {
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
            let path = question.path
            try? ownHostPorts.ask(
                on: path,
                group: MulticastGroup.endpoint(on: path),
                now: clock.now,
                { OwnHostQuestion(id: $0).packets([question.name], type: .srv) },
                whenReadable: { [weak self] in self?.assumeIsolated { $0.hearOwnHost(path) } }
            )
        }
        ownHostPorts.close(until: now) { !query.activePaths.contains($0) }
    }

    private func hearOwnHost(_ path: ServicePath) {
        var own: [Sighting] = []
        _ = ownHostPorts.read(path, with: &reader) { datagram, id in
            guard let link = query.link(of: path),
                let message = OwnHostQuestion(id: id)
                    .answer(in: datagram.bytes, from: datagram.source.endpoint, on: link)
            else { return }
            own += ownServices.takeAnswer(message, from: datagram.source.address, on: path)
        }
        if !own.isEmpty { reportOwn(own) }
        update()
    }
}
