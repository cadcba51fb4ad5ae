package import DNSSD
package import GatewayProtocol
internal import HostSystem
internal import Scanning

extension NetworkObservation {
    /// The longest time to wait for a neighbour: one round trip on the link, and one lost packet.
    private static let neighbourTimeout = Duration.milliseconds(1_200)

    /// The time between two looks at the neighbour table.
    private static let interval = Duration.milliseconds(10)

    /// Returns the network that leads to an address now, as far as the kernel knows it; `nil` when there is none, or
    /// the system does not report it. It queries the kernel alone, without waiting: for use right before a secret is
    /// sent.
    package static func current(to address: IPAddress) -> NetworkObservation? {
        NetworkFacts.current(to: address).flatMap { NetworkObservation(to: address, facts: $0) }
    }

    /// Returns the network that leads to an address now, after making the kernel reach the default router and the
    /// gateway: after a change of network, it knows neither.
    ///
    /// - Returns: The network, as soon as both are known, or as far as it is known after 1.2 s. At the end of a tailnet, the
    ///   tailnet's service on this host has been asked which machine has the address.
    package static func settled(to address: IPAddress) async -> NetworkObservation? {
        guard let observation = await settled(to: address, clock: ContinuousClock()) else { return nil }
        // A router or a neighbour tells a network from others: a tailnet has neither.
        guard observation.homeNetwork?.distinguishesAddresses != true else { return observation }
        let facts = NetworkFacts.current(to: address)
        let asked = await observation.asking(TailnetService.system, about: address, facts)
        guard asked.node != nil else { return asked }
        // The routes may have changed while it was asked.
        let now = NetworkFacts.current(to: address)
        let isSame =
            now?.tailnetAddress(to: address) == facts?.tailnetAddress(to: address)
            && now.flatMap { NetworkObservation(to: address, facts: $0) } == observation
        return isSame ? asked : observation
    }

    /// Returns the same observation after asking a tailnet's service which machine has the address, where the facts are that a
    /// tailnet may lead there.
    func asking(
        _ service: TailnetService,
        about address: IPAddress,
        _ facts: NetworkFacts?
    ) async -> NetworkObservation {
        guard let own = facts?.tailnetAddress(to: address) else { return self }
        return at(await service.node(at: address.unmapped, from: own.unmapped))
    }

    /// As above, without asking anybody; the clock measures how long neighbours are waited for.
    static func settled(to address: IPAddress, clock: any MonotonicClock) async -> NetworkObservation? {
        let start = clock.now
        var isFirst = true
        while true {
            let facts = NetworkFacts.current(to: address)
            let observation = facts.flatMap { NetworkObservation(to: address, facts: $0) }
            guard let facts, let observation, observation.isIncomplete, clock.now - start < neighbourTimeout,
                !Task.isCancelled
            else { return observation }
            if isFirst { facts.neighbourAddresses(of: address).forEach(NeighbourTable.solicit) }
            isFirst = false
            try? await clock.sleep(for: interval)
        }
    }
}
