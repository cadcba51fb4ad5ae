import DNSSD
import GatewayProtocol
import Testing

@testable import Scanning

/// Places that a source has found, and that nobody has named: shown where a gateway answers, and nowhere else.
@Suite struct FoundPlacesTests {
    private static let loopback = Endpoint(address: .v4(IPv4Address(bits: 0x7F00_0001)), port: 18_789)
    private static let place = ManualGateway(endpoints: [loopback], source: .thisHost)
    private var drive = ScanDrive()

    private var paths: [GatewayPath] { drive.map.gateways.flatMap(\.paths) }

    /// A gateway on loopback is a row that says so, and is not taken for one that the user has named.
    @Test mutating func aGatewayIsShown() throws {
        drive.listen(.gateway(SampleGateway("a")), at: Self.loopback)
        drive.add(Self.place)
        drive.run(for: .seconds(1))
        let path = try #require(paths.first)
        #expect(path.source == .thisHost && !path.isManual && path.liveness == .answering)
    }

    /// Another program is no row, whatever it says, and is not asked twice a minute.
    @Test(arguments: [Listener.webServer, .refusal]) mutating func anotherProgramIsNone(_ listener: Listener) {
        drive.listen(listener, at: Self.loopback)
        drive.add(Self.place)
        drive.run(for: .seconds(59))
        #expect(drive.map.gateways.isEmpty && drive.questions.count == 1)
        drive.run(for: .seconds(180))
        #expect(drive.map.gateways.isEmpty && drive.questions.count <= 4)
    }

    /// An address that must not be asked is not, and is no row: only what this host says of itself leads to loopback.
    @Test mutating func aForbiddenPlaceIsNone() throws {
        let metadata = Endpoint(address: try #require(IPAddress("169.254.169.254")), port: 3_000)
        drive.add(ManualGateway(endpoints: [metadata], source: .thisHost))
        drive.run(for: .seconds(5))
        #expect(drive.map.gateways.isEmpty && drive.questions.isEmpty)
    }

    /// What the user names is shown as that, whichever comes first, also when the source finds it no more.
    @Test(arguments: [true, false]) mutating func whatIsNamedIsNotFound(isFirst: Bool) {
        drive.listen(.gateway(SampleGateway("a")), at: Self.loopback)
        let named = ManualGateway(endpoints: [Self.loopback])
        for gateway in isFirst ? [named, Self.place] : [Self.place, named] {
            drive.add(gateway)
            drive.run(for: .seconds(1))
        }
        #expect(paths.map(\.isManual) == [true] && paths.map(\.source) == [nil])
        drive.state.remove(Self.place, now: drive.now)
        drive.step()
        #expect(paths.map(\.isManual) == [true])
        drive.add(Self.place)
        drive.state.remove(named, now: drive.now)
        drive.run(for: .seconds(1))
        #expect(paths.map(\.source) == [.thisHost])
    }

    /// A host that is named without a port keeps its one row while nothing answers, though a source leads to one of its ports.
    @Test mutating func aNamedHostKeepsItsRow() {
        drive.listenEverywhere(.refusal)
        drive.add(Self.place)
        for port in GatewayDialect.usualPorts {
            let endpoint = Endpoint(address: Self.loopback.address, port: port)
            drive.add(ManualGateway(endpoints: [endpoint], soughtHost: "127.0.0.1"))
        }
        drive.run(for: .seconds(5))
        #expect(paths.map(\.outcome) == [.nothing(.notAtUsualPorts)])
        drive.listen(.gateway(SampleGateway("a")), at: Self.loopback)
        drive.run(for: .seconds(120))
        #expect(paths.map(\.endpoint) == [Self.loopback] && paths.map(\.isManual) == [true])
    }
}
