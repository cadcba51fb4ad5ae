import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// Hosts that the user names without a port: asked at all usual ports, and shown where a gateway answers.
@Suite struct UsualPortsTests {
    private static let ports = GatewayDialect.usualPorts
    private var drive = ScanDrive()

    private static func endpoint(_ port: UInt16) -> Endpoint { Samples.endpoint(1, port: port) }

    /// The entries of a host without a port, as ``ManualGateways`` makes them.
    private static var entries: [ManualGateway] {
        ports.map { ManualGateway(endpoints: [endpoint($0)], soughtHost: "10.0.0.1") }
    }

    private mutating func begin(refusing: Bool = true) {
        if refusing { drive.listenEverywhere(.refusal) }
        for entry in Self.entries { drive.add(entry) }
        drive.run(for: .seconds(3))
    }

    private var shown: [Endpoint] { drive.map.gateways.flatMap(\.paths).map(\.endpoint).sorted() }

    /// A user who names a host has the gateway that is there, and no dead rows for ports that it does not use, which would
    /// also be told as gone. It stays shown when it has ended, and so does the other one of the same host.
    @Test mutating func onlyPortsWithGatewaysAreShown() {
        drive.listen(.gateway(SampleGateway("a")), at: Self.endpoint(18_789))
        drive.listen(.webServer, at: Self.endpoint(3_000))
        begin()
        #expect(shown == [Self.endpoint(18_789)])
        drive.listen(.gateway(SampleGateway("b", name: "Other")), at: Self.endpoint(18_800))
        drive.run(for: .seconds(120))
        #expect(shown == [Self.endpoint(18_789), Self.endpoint(18_800)])
        drive.listen(.refusal, at: [Self.endpoint(18_789), Self.endpoint(18_800)])
        drive.run(for: .seconds(30))
        #expect(shown == [Self.endpoint(18_789), Self.endpoint(18_800)])
        #expect(drive.map.gateways.allSatisfy { $0.liveness == .gone })
    }

    /// A host without a gateway is one row with one reason, however long it is asked; the gateway that comes takes its
    /// place.
    @Test mutating func aHostWithoutAGatewayIsOneRow() throws {
        begin()
        drive.run(for: .seconds(120))
        #expect(shown.count == 1)
        let path = try #require(drive.map.gateways.first?.paths.first)
        #expect(path.outcome == .nothing(.notAtUsualPorts))
        let changes = drive.changes.count
        drive.run(for: .seconds(120))
        #expect(drive.changes.count == changes)
        drive.listen(.gateway(SampleGateway("a")), at: Self.endpoint(18_800))
        drive.run(for: .seconds(120))
        #expect(shown == [Self.endpoint(18_800)])
    }

    /// A place that is also named with its port, or advertised, is shown like any other.
    @Test mutating func aPlaceThatIsNamedOtherwiseIsShown() {
        drive.add(ManualGateway(endpoints: [Self.endpoint(3_000)]))
        begin()
        #expect(shown.contains(Self.endpoint(3_000)))
        #expect(drive.emitted.contains(.probed(Self.endpoint(3_000), .nothing(.refused))))
        drive.listen(.gateway(SampleGateway("a")), at: Self.endpoint(18_789))
        drive.run(for: .seconds(120))
        #expect(shown == [Self.endpoint(3_000), Self.endpoint(18_789)])
    }

    /// What was shown of a host goes with its entry; a gateway that answers stays as long as it does, and is shown at once
    /// if the host is entered again.
    @Test mutating func removingTheHostRemovesItsRows() {
        begin()
        for entry in Self.entries { drive.state.remove(entry, now: drive.now) }
        drive.step()
        #expect(shown.isEmpty)
        drive.listen(.gateway(SampleGateway("a")), at: Self.endpoint(18_789))
        begin(refusing: false)
        #expect(shown == [Self.endpoint(18_789)])
        for entry in Self.entries {
            drive.state.remove(entry, now: drive.now)
            drive.add(entry)
        }
        #expect(shown == [Self.endpoint(18_789)])
    }

    /// A session is with a gateway: its host has one, whatever its other ports say.
    @Test mutating func aHostWithASessionHasAGateway() {
        drive.noteSession(.answering, at: Self.endpoint(18_789))
        begin()
        drive.run(for: .seconds(120))
        #expect(drive.map.gateways.flatMap(\.paths).allSatisfy { $0.outcome != .nothing(.notAtUsualPorts) })
    }

    /// An address to which nobody may connect is one row, too.
    @Test mutating func aForbiddenHostIsOneRow() throws {
        let address = try #require(IPAddress("224.0.0.251"))
        for port in Self.ports {
            drive.add(ManualGateway(endpoints: [Endpoint(address: address, port: port)], soughtHost: "224.0.0.251"))
        }
        #expect(shown.count == 1)
    }

    /// A host without a port is looked up once, and asked at each of the usual ports.
    @Test func aHostIsAskedAtTheUsualPorts() async throws {
        let found = await ManualGateways([try ProbeAddress(orHost: "10.0.0.1")], within: .seconds(1))
        #expect(found.gateways.flatMap(\.endpoints) == Self.ports.map(Self.endpoint))
        #expect(found.gateways.allSatisfy { $0.soughtHost == "10.0.0.1" })
        let spellings = try ["2001:db8::1", "2001:DB8:0::1"].map { try ProbeAddress(orHost: $0) }
        let spelt = await ManualGateways(spellings, within: .seconds(1))
        #expect(Set(spelt.gateways.map(\.soughtHost)) == ["2001:db8::1"])
        let other = await ManualGateways([try ProbeAddress(orHost: "10.0.0.1:3000")], within: .seconds(1))
        #expect(other.gateways.map(\.soughtHost) == [nil])
    }
}
