import DNSSD
import GatewayClient
import GatewayProtocol
import Testing

@testable import Scanning

/// Several candidates that lead to one gateway: each endpoint has one result, and the gateway has one row.
@Suite struct SharedEndpointTests {
    private let bridge = ServiceType.gatewayTypes[2]

    /// Expects one row that answers, keeps its identifier and does not change for five minutes.
    private func expectOneQuietRow(_ drive: inout ScanDrive, sourceLocation: SourceLocation = #_sourceLocation) {
        drive.run(for: .seconds(5))
        #expect(drive.map.gateways.count == 1, sourceLocation: sourceLocation)
        let (id, time) = (drive.map.gateways.first?.id, drive.elapsed)
        drive.run(for: .seconds(300))
        #expect(drive.changeLines(since: time) == [], sourceLocation: sourceLocation)
        #expect(drive.map.gateways.map(\.id) == [id].compactMap(\.self), sourceLocation: sourceLocation)
        #expect(drive.map.gateways.map(\.liveness) == [.answering], sourceLocation: sourceLocation)
    }

    /// A gateway that is advertised, and that the user also entered.
    @Test(arguments: [GatewayDialect.optaplus, .openClaw, .bridge, .openAgents])
    func advertisedAndManual(dialect: GatewayDialect) {
        var drive = ScanDrive()
        drive.find(
            Samples.service("A", at: [Samples.address(1), Samples.address(2)]),
            .gateway(SampleGateway(dialect: dialect))
        )
        drive.add(ManualGateway(endpoints: [Samples.endpoint(1)]))
        expectOneQuietRow(&drive)
    }

    /// A gateway that the user entered by its host name, so that all addresses of the name are one manual entry, and
    /// that is then advertised with other addresses as well.
    @Test(arguments: [GatewayDialect.optaplus, .openClaw])
    func typedInByHostNameAndAdvertised(dialect: GatewayDialect) {
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway(dialect: dialect)))
        drive.add(ManualGateway(endpoints: [Samples.endpoint(1), Samples.endpoint(2)]))
        drive.run(for: .seconds(3))
        drive.apply(.found(Samples.service("A", at: [Samples.address(2), Samples.address(3)])))
        expectOneQuietRow(&drive)
    }

    /// A gateway with two service types and two overlapping sets of addresses, as every OpenClaw gateway has.
    @Test(arguments: [GatewayDialect.optaplus, .openClaw, .openAgents])
    func twoTypesWithDifferentAddresses(dialect: GatewayDialect) {
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway(dialect: dialect)))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1), Samples.address(2)])))
        drive.apply(
            .found(
                Samples.service("A", type: ServiceType.gatewayTypes[1], at: [Samples.address(2), Samples.address(3)])
            )
        )
        expectOneQuietRow(&drive)
    }

    /// A forged service of another type at the endpoint of a gateway, which suggests another dialect, changes nothing.
    @Test func anotherTypeAtItsEndpoint() {
        var drive = ScanDrive()
        drive.find(Samples.service("A", at: [Samples.address(1)]), .gateway(SampleGateway()))
        drive.run(for: .seconds(1))
        drive.apply(.found(Samples.service("B", type: bridge, at: [Samples.address(1)])))
        expectOneQuietRow(&drive)
        #expect(drive.map.gateways.first?.name == "Home")
    }

    /// An address of this host changes, so that the held connection is dead while new ones are answered: the gateway is
    /// suspect at most, and a new connection is held.
    @Test(arguments: [GatewayDialect.optaplus, .openClaw, .openAgents])
    func anAddressOfThisHostHasChanged(dialect: GatewayDialect) {
        var drive = ScanDrive()
        drive.find(Samples.service("A", at: [Samples.address(1)]), .gateway(SampleGateway(dialect: dialect)))
        drive.run(for: .seconds(10))
        #expect(drive.network.heldCount == 1)
        let time = drive.elapsed
        drive.network.cutKept(at: Samples.endpoint(1))
        drive.run(for: .seconds(120))
        let lines = drive.changeLines(since: time)
        #expect(!lines.contains { $0.contains("gone") || $0.hasPrefix("-") || $0.hasPrefix("+") }, "\(lines)")
        #expect(lines.count { $0.contains("suspect") } <= 1, "\(lines)")
        #expect(drive.map.gateways.map(\.liveness) == [.answering])
        #expect(drive.network.heldCount == 1, "a new connection is held")
    }

    /// An interface is renamed, so that the link-local addresses on it get another scope name: the gateway keeps its
    /// row, without any change.
    @Test func anInterfaceIsRenamed() {
        let (old, new) = (NetworkInterface(index: 2, name: "eth0"), NetworkInterface(index: 2, name: "lan0"))
        func service(_ interface: NetworkInterface) -> DiscoveredService {
            Samples.service(
                "A",
                on: ServicePath(interface: interface, family: .ipv6),
                at: [Samples.linkLocalAddress(1, on: interface)]
            )
        }
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway()))
        drive.apply(.found(service(old)))
        drive.run(for: .seconds(10))
        let (id, time) = (drive.map.gateways.first?.id, drive.elapsed)
        drive.apply(.lost(service(old), .interfaceDown))
        drive.apply(.found(service(new)))
        drive.run(for: .seconds(120))
        #expect(drive.changeLines(since: time) == [])
        #expect(drive.map.gateways.map(\.id) == [id].compactMap(\.self))
        #expect(drive.map.gateways.first?.paths.count == 1)
    }

    /// A gateway without a fingerprint that is advertised with two types, and that the user also entered.
    @Test func withoutAFingerprintItIsOneRow() {
        var drive = ScanDrive()
        drive.listenEverywhere(.gateway(SampleGateway(dialect: .openClaw)))
        let addresses = [Samples.address(1), Samples.address(2)]
        drive.apply(.found(Samples.service("A", type: ServiceType.gatewayTypes[1], at: addresses)))
        drive.apply(.found(Samples.service("A", type: ServiceType.gatewayTypes[3], at: [addresses[0]])))
        drive.add(ManualGateway(endpoints: [Samples.endpoint(1)]))
        expectOneQuietRow(&drive)
        #expect(drive.map.gateways.first?.services.count == 2)
    }

    /// A gateway on this host that is advertised with its address, and that the user also entered as localhost.
    @Test func localhostBesideTheAdvertisementIsOneRow() throws {
        var drive = ScanDrive()
        drive.state.networks = HostNetworks(addresses: [Samples.address(1)])
        drive.listenEverywhere(.gateway(SampleGateway()))
        let loopback = try ["127.0.0.1", "::1"].map { Endpoint(address: try #require(IPAddress($0)), port: 3_000) }
        drive.apply(.found(Samples.service("A", at: [Samples.address(1)], heardFrom: [Samples.address(1)])))
        drive.run(for: .seconds(2))
        drive.add(ManualGateway(endpoints: loopback))
        expectOneQuietRow(&drive)
        #expect(drive.map.gateways.first?.flags == [])
        #expect(drive.map.gateways.first?.paths.count == 3)
    }

    /// A place that is stored or was typed in is asked before the other addresses of its service: who answers there first
    /// seems to be elsewhere. One that is silent delays them for a second only.
    /// It may have a host name, which the service has not.
    @Test(arguments: [true, false], [nil, "kitchen.example"])
    func aKnownPlaceIsAskedFirst(isSilent: Bool, name: String?) throws {
        var drive = ScanDrive()
        let unnamed = Samples.endpoint(2)
        let place = Endpoint(
            address: unnamed.address,
            port: unnamed.port,
            serverName: name.flatMap { ServerName($0) }
        )
        drive.add(ManualGateway(endpoints: [place]))
        drive.apply(.found(Samples.service("A", at: [Samples.address(1), Samples.address(2)])))
        #expect(drive.probes.map(\.endpoint) == [place])
        if isSilent {
            _ = drive.advance()
            #expect(drive.elapsed == ScanState.placeDeferral)
        } else {
            drive.end(try #require(drive.probes.first), Samples.report(place))
            #expect(drive.elapsed == .zero)
        }
        #expect(drive.probes.contains { $0.endpoint == Samples.endpoint(1) })
    }

    /// An address at which a gateway does not answer is not the first path of its row. OpenClaw publishes a link-local
    /// address, but listens on 0.0.0.0 only.
    @Test(arguments: [Listener.refusal, .silence])
    func aPathThatIsRefusedIsNotTheFirst(other: Listener) {
        var drive = ScanDrive()
        let (linkLocal, address) = (Samples.linkLocalAddress(1), Samples.address(1))
        drive.listen(other, at: Endpoint(address: linkLocal, port: 3_000))
        drive.listen(.gateway(SampleGateway(dialect: .openClaw)), at: Samples.endpoint(1))
        drive.apply(.found(Samples.service("A", at: [linkLocal, address])))
        drive.run(for: .seconds(60))
        #expect(drive.map.gateways.count == 1)
        #expect(drive.map.gateways.first?.paths.first?.endpoint == Samples.endpoint(1))
        #expect(drive.map.gateways.first?.liveness == .answering)
        let gatewayLines = drive.changeLines().drop { !$0.hasPrefix("~") }
        #expect(gatewayLines.count == 1, "\(drive.changeLines())")
    }

    /// An OpenClaw gateway before 2026.3.1, whose `/healthz` answers 404, counts as answering as long as that answer
    /// stays the same.
    @Test(arguments: [200, 404])
    func anOldOpenClawDoesNotFlap(status: Int) {
        var gateway = SampleGateway(dialect: .openClaw)
        gateway.healthStatus = status
        var drive = ScanDrive()
        drive.find(Samples.service("A", at: [Samples.address(1)]), .gateway(gateway))
        drive.run(for: .seconds(5))
        let time = drive.elapsed
        drive.run(for: .seconds(240))
        #expect(drive.changeLines(since: time) == [])
        // One request over the held connection every two seconds, and a whole probe once a minute.
        #expect(drive.questions.count { $0.isProbe && $0.time >= time } <= 4)
        #expect(drive.questions.count { !$0.isProbe && $0.isOverKept && $0.time >= time } > 100)
        // Another process that answers otherwise is noticed, and probed.
        gateway.healthStatus = 500
        drive.listen(.gateway(gateway.restarted), at: Samples.endpoint(1))
        let probes = drive.questions.count(where: \.isProbe)
        drive.run(for: .seconds(3))
        #expect(drive.questions.count(where: \.isProbe) > probes)
        #expect(drive.map.gateways.map(\.liveness) == [.answering])
    }
}
