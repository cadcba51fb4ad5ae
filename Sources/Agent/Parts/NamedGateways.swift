internal import DNSSD
internal import Discovery
internal import Logging
internal import Scanning
internal import UserSettings

/// Follows the gateways that the settings name, and looks up the addresses of their hosts.
struct NamedGateways: Sendable {
    /// The time between two looks for host names that had no address.
    private static let interval = Duration.seconds(30)

    /// The time that one look for the addresses of host names may take.
    private static let timeout = Duration.seconds(5)

    private let asked: AskedGateways
    private let places: Broadcast<[ProbeAddress: Set<Endpoint>]>
    private let logger: Logger?

    /// - Parameter places: Gets the places to which the names lead. Those of an earlier run stay until there are others.
    init(_ asked: AskedGateways, _ places: Broadcast<[ProbeAddress: Set<Endpoint>]>, _ logger: Logger?) {
        self.asked = asked
        self.places = places
        self.logger = logger
    }

    /// Has the gateways asked that the latest settings name, until the task is cancelled.
    func follow(_ settings: Broadcast<Settings>) async {
        var known: [ProbeAddress: Set<ManualGateway>] = [:]
        while !Task.isCancelled {
            let addresses = settings.value.gateways.value
            known = known.filter { addresses.contains($0.key) }
            await show(known)
            known = await withTaskGroup(of: [ProbeAddress: Set<ManualGateway>]?.self) { [known] group in
                group.addTask { await self.find(addresses, known) }
                group.addTask {
                    for await latest in settings.stream(limit: 1) where latest.gateways.value != addresses { break }
                    return nil
                }
                // The search ends only when it is cancelled, and what it has found by then stays known.
                var found = known
                while let result = await group.next() {
                    group.cancelAll()
                    if let result { found = result }
                }
                return found
            }
        }
    }

    /// Looks for addresses, again and again for those that have none yet, until the task is cancelled.
    ///
    /// - Returns: The gateways that were found, those that were known before included.
    private func find(
        _ addresses: [ProbeAddress],
        _ known: [ProbeAddress: Set<ManualGateway>]
    ) async -> [ProbeAddress: Set<ManualGateway>] {
        var found = known
        while !Task.isCancelled {
            // All at once: those of which nothing is known for a while count as silent.
            await withTaskGroup(of: (ProbeAddress, ManualGateways).self) { group in
                for address in Set(addresses) where found[address] == nil {
                    group.addTask { (address, await ManualGateways([address], within: Self.timeout)) }
                }
                for await (address, gateways) in group {
                    guard gateways.problems.isEmpty else {
                        for problem in gateways.problems { logger?.notice("\(problem)") }
                        continue
                    }
                    found[address] = Set(gateways.gateways)
                    await show(found)
                }
            }
            let isDone = addresses.allSatisfy { found[$0] != nil }
            try? await Task.sleep(for: isDone ? .seconds(86_400) : Self.interval)
        }
        return found
    }

    private func show(_ known: [ProbeAddress: Set<ManualGateway>]) async {
        let found = known.mapValues { Set($0.flatMap(\.endpoints)) }
        if !found.isEmpty { places.send(places.value.merging(found) { $1 }) }
        await asked.set(known.values.reduce(into: []) { $0.formUnion($1) }, of: .settings)
    }
}
