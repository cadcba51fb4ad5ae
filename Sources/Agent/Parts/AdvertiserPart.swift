internal import Advertising
internal import DNSSD
internal import Discovery
internal import HostSystem
internal import Logging
internal import Scanning

/// A part that advertises a gateway of this host.
struct AdvertiserPart: Sendable {
    /// The time that the look for the addresses of a host name may take.
    private static let nameTimeout = Duration.seconds(5)

    let gateway: AdvertisedGateway
    /// The names of the interfaces to advertise on; empty means all.
    var interfaces: Set<String> = []

    let backend: BackendChoice
    let publisher: ZonePublishing
    let logger: Logger?

    /// Advertises until the task is cancelled, or publishing has failed for good.
    func run(_ reporter: PartReporter) async throws {
        let address = gateway.address
        guard let found = await HostAddresses.of(address.host, within: Self.nameTimeout) else {
            throw PartEnd(description: "no answer about the name \(address.host)")
        }
        let own = found.filter { LocalAddress.isOfThisHost($0) }
        guard !own.isEmpty else {
            throw PartEnd(description: "\(address.host) is not this host, and an advertisement names this one")
        }
        let advertiser = try GatewayAdvertiser(
            GatewayAdvertiserConfiguration(
                endpoints: own.map { Endpoint(address: $0, port: address.port) },
                expected: address.dialect,
                transports: address.transports,
                name: gateway.name,
                defaultName: SystemHostName.current,
                interfaces: interfaces
            ),
            backend: try gateway.zone.map { try publisher.backend($0) } ?? Backends.make(backend, logger: logger),
            logger: logger
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await advertiser.run() }
            group.addTask {
                for await state in advertiser.states { try Self.report(state, to: reporter) }
            }
            try await group.waitForAll()
        }
    }

    private static func report(_ state: GatewayAdvertiserState, to reporter: PartReporter) throws {
        switch state {
        case .asking, .ended: break
        case .withheld(let reason): reporter.isImpaired("it is not advertised: \(reason)")
        case .advertising(.publishing(waitingFor: let error?)): reporter.isImpaired(error.message)
        case .advertising: reporter.works()
        case .failed(let error): throw PartEnd(description: error.message)
        }
    }
}
