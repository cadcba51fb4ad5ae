public import DNSSD
internal import EventLoops

extension NetworkObservation {
    /// The time for which a neighbour is waited for: one round trip on the link, and a packet that is lost.
    private static let patience = Duration.milliseconds(1_200)

    /// The time between two looks at the neighbour table.
    private static let interval = Duration.milliseconds(10)

    /// The network that leads to an address now, as far as the kernel knows it; `nil` when none does, or the system does
    /// not tell. It asks the kernel alone, without waiting: for the moment before a secret is sent.
    public static func current(to address: IPAddress) -> NetworkObservation? {
        NetworkFacts.current(to: address).flatMap { NetworkObservation(to: address, facts: $0) }
    }

    /// The network that leads to an address now, after the kernel was made to reach the default router and the gateway:
    /// after a change of network it knows neither.
    ///
    /// - Returns: What is known once both are, or at most 1.2 s later.
    public static func settled(to address: IPAddress) async -> NetworkObservation? {
        await settled(to: address, clock: ContinuousClock())
    }

    /// As above; the clock measures how long neighbours are waited for.
    static func settled(to address: IPAddress, clock: any MonotonicClock) async -> NetworkObservation? {
        let start = clock.now
        var isFirst = true
        while true {
            let facts = NetworkFacts.current(to: address)
            let observation = facts.flatMap { NetworkObservation(to: address, facts: $0) }
            guard let facts, let observation, observation.isIncomplete, clock.now - start < patience, !Task.isCancelled
            else { return observation }
            if isFirst { facts.neighbourAddresses(of: address).forEach(NeighbourTable.solicit) }
            isFirst = false
            try? await clock.sleep(until: clock.now + interval, tolerance: nil)
        }
    }

    /// Indicates whether there is a machine on the link that the kernel has not reached yet.
    var isIncomplete: Bool { router == .unknown || gateway == .unknown }
}

extension NetworkFacts {
    /// Asks the system; `nil` when it does not tell of its routes.
    static func current(to address: IPAddress) -> NetworkFacts? {
        guard let defaults = Route.defaults() else { return nil }
        return NetworkFacts(
            interfaces: HostInterface.all.filter { $0.flags.contains(.up) },
            route: Route.leading(to: address),
            defaults: defaults,
            neighbours: .current
        )
    }
}
