internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import HostSystem

extension PlaceList {
    /// The time that a look around may take.
    private static let sweepTimeout = Duration.seconds(8)

    /// The number of hosts that are looked at at once.
    private static let sweptAtOnce = 50

    /// Looks at the usual ports of all hosts of some networks.
    ///
    /// - Parameters:
    ///   - interfaces: The names of the interfaces whose networks count; none stands for all.
    ///   - told: Gets the number of hosts that were looked at, and of all.
    package static func ofSweep(
        _ networks: SweptNetworks,
        on interfaces: [String] = [],
        told: (Int, Int) -> Void = { _, _ in }
    ) async -> PlaceList {
        let deadline = ContinuousClock.now + sweepTimeout
        let neighbours = NeighbourTable.current
        let counting = HostInterface.all.filter { interface in
            interface.isOnNetwork && !interface.isOfContainers
                && (interfaces.isEmpty || interfaces.contains(interface.interface.name))
        }
        var list = PlaceList()
        let (hosts, reasons) = networks.hosts(counting) { neighbours.hardwareAddress(of: $0) != nil }
        list.reasons = reasons
        // A host of the link answers within milliseconds, unless it sleeps: the fewer there are, the longer each is waited for.
        let rounds = max((hosts.count + sweptAtOnce - 1) / sweptAtOnce, 1)
        let look = PortLook(atOnce: sweptAtOnce, limit: min(sweepTimeout * 7 / (8 * rounds), .milliseconds(600)))
        let places = hosts.map { host in GatewayDialect.usualPorts.map { Endpoint(address: host, port: $0) } }
        let open = await look.open(at: places, until: deadline) { told($0, hosts.count) }
        list.gateways = open.sorted().map { place in
            ManualGateway(
                endpoints: [place],
                expected: GatewayProbeTarget.expected(ofPort: place.port),
                source: .sweep
            )
        }
        return list
    }
}
