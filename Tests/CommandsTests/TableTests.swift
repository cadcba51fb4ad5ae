import DNSSD
import GatewaySamples
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console

@Suite struct TableTests {
    @Test(arguments: [30, 40, 60, 80, 120])
    func linesFitTheTerminal(width: Int) throws {
        let services = try ["a", String(repeating: "漢", count: 20)].map { try Fixture.service(name: $0, txt: []) }
        let lines = ScanTable.text(services, width: width).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= width })
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }

    /// No line is wider than the terminal: it would be wrapped, and the titles would leave the screen.
    @Test(arguments: 20...130)
    func noLineIsWiderThanTheTerminal(width: Int) throws {
        let snapshot = NetworkSnapshot(
            rows: Rows.map(try Neighbourhood.found()).gateways,
            services: try Neighbourhood.services()
        )
        let tables = [
            GatewayTable.text(snapshot, width: width), ScanTable.text(snapshot.services, width: width),
        ]
        for line in tables.joined().split(separator: "\n") {
            #expect(DisplayWidth.of(String(line)) <= width, "\(line)")
        }
    }

    /// Half an address is none, and two gateways on one host differ only in their port: an address is never cut, and what
    /// does not fit in its column stands below.
    @Test(arguments: [21, 40, 80])
    func noAddressIsCut(width: Int) throws {
        let addresses = ["192.168.100.200", "fe80::aaaa:bbbb:cccc:dddd"]
        let endpoints = try addresses.flatMap { address in
            try [3_000, 3_001].map { Endpoint(address: try #require(IPAddress(address)), port: $0) }
        }
        let events: [BotMapEvent] = endpoints.flatMap { endpoint in
            [.endpointAdded(endpoint, .local), .probed(endpoint, Rows.gateway(fingerprint: "fp-\(endpoint)"))]
        }
        let text = GatewayTable.text(Rows.snapshot(events), width: width)
        let whole = text.replacing("\n  ", with: "\n").replacing("\n", with: width == 21 ? "" : "\n")
        for endpoint in endpoints { #expect(whole.contains("\(endpoint)"), "\(text)") }
        #expect(text.split(separator: "\n").allSatisfy { DisplayWidth.of(String($0)) <= width })
    }

    /// A gateway that is gone has no round trip, however fast it was.
    @Test func whatIsGoneHasNoRoundTrip() throws {
        let events = try Rows.mixed() + [.liveness(Rows.endpoint(), .gone, roundTrip: nil)]
        let row = try #require(Rows.snapshot(events).gateways.first { $0.name == "Home" })
        #expect(row.liveness == .gone)
        #expect(GatewayRow(row).time == "-")
    }

    /// In a narrow terminal a fingerprint is shortened before an address is.
    @Test func aFingerprintGivesBeforeAnAddressDoes() throws {
        let fingerprint = String(repeating: "0123456789abcdef", count: 4)
        let endpoint = Endpoint(address: try #require(IPAddress("192.168.100.200")), port: 18_789)
        let events: [BotMapEvent] = [
            .endpointAdded(endpoint, .local), .probed(endpoint, Rows.gateway(fingerprint: fingerprint)),
        ]
        let text = GatewayTable.text(Rows.snapshot(events), width: 80)
        #expect(text.contains("192.168.100.200:18789 "), "\(text)")
    }

    @Test func wholeTableWhenPiped() throws {
        #expect(
            ScanTable.text([try Fixture.service()], width: nil) == """
                NAME  FINGERPRINT  BOTS  VERSION  ADDRESS        TYPE            INTERFACES
                Home  abc123       3     3        10.0.0.2:3000  _openclaw._tcp  eth0 v4+v6

                """
        )
    }

    @Test func whatIsNotResolvedIsListedWithTheReason() throws {
        let text = ScanTable.text([try Fixture.service(resolution: .failed(reason: "no SRV record"))], width: nil)
        #expect(text.contains("not resolved"))
        #expect(text.hasSuffix("\n\nHome Gateway (_openclaw._tcp): no SRV record\n"))
    }

    @Test func problemsOfTheGatewayAreListed() throws {
        let text = ScanTable.text([try Fixture.service(txt: [Array("bots=many".utf8)])], width: nil)
        #expect(text.contains("Home Gateway (_openclaw._tcp): TXT bots: expected a whole number"))
    }

    @Test func gatewaysOfOneNameAreToldApartByTheirNumber() throws {
        let name = [Array("name=Home".utf8)]
        #expect(ServiceRow(try Fixture.service(name: "Home #2", txt: name)).name == "Home #2")
        #expect(ServiceRow(try Fixture.service(name: "Homestead", txt: name)).name == "Home")
        #expect(ServiceRow(try Fixture.service(name: "Home (OpenClaw) (2)", txt: name)).name == "Home (2)")
    }
}
