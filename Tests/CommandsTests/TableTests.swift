import Constellation
import DNSSD
import GatewaySamples
import Reports
import Testing

@testable import Commands
@testable import Console

@Suite struct TableTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("🤖", 2), ("👨‍👩‍👧", 2), ("한글", 4), ("ｱ", 1), ("Ａ", 2),
        ("1\u{FE0F}\u{20E3}", 2), ("…", 1),
    ])
    func widthsAreThoseOfTerminals(text: String, cells: Int) {
        #expect(DisplayWidth.of(text) == cells)
    }

    @Test(arguments: [("abcdef", 4, "abc…"), ("漢字漢字", 4, "漢…"), ("漢字", 4, "漢字"), ("abc", 0, ""), ("abc", 1, "…")])
    func whatDoesNotFitEndsInAnEllipsis(text: String, cells: Int, result: String) {
        #expect(DisplayWidth.fit(text, in: cells) == result)
    }

    @Test func columnsLineUpUnderWideText() {
        let table = TextTable(
            columns: [TextTable.Column("NAME", minimum: 4), TextTable.Column("PORT", minimum: 4)],
            rows: [["漢字 🤖", "1"], ["abc", "22"]]
        )
        #expect(table.lines(width: nil) == ["NAME     PORT", "漢字 🤖  1", "abc      22"])
    }

    @Test(arguments: [30, 40, 60, 80, 120])
    func linesFitTheTerminal(width: Int) throws {
        let services = try ["a", String(repeating: "漢", count: 20)].map { try Fixture.service(name: $0, txt: []) }
        let lines = ScanTable.text(services, width: width).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= width })
        #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
    }

    @Test(arguments: [
        ("[fe80::c448:faff]:18789 TLS", 15, "[fe8…:18789 TLS"), ("10.0.0.1:3000", 13, "10.0.0.1:3000"),
        ("abcdef", 3, "ab…"),
    ])
    func anAddressKeepsItsPort(text: String, cells: Int, result: String) {
        #expect(DisplayWidth.fitKeepingEnd(text, in: cells) == result)
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

    /// Sentences stand below their rows before a column is left out, and the least useful column is left out first.
    @Test(arguments: 20...120) func theLeastUsefulColumnGoesFirst(width: Int) {
        let reason = "it is at another address than at pairing: clawradar trust 1a2b3c4d. Nothing is sent to it"
        let columns = [
            TextTable.Column("NAME", minimum: 8), TextTable.Column("ADDRESS", minimum: 15, rank: 1, keepsEnd: true),
            TextTable.Column("SINCE", minimum: 16, rank: 2, keepsEnd: true),
            TextTable.Column("MORE", minimum: 8, rank: 3),
            TextTable.Column("WHY", minimum: 12, isProse: true),
        ]
        let row = ["Home in the attic", "192.168.100.200:18789", "2026-11-26 12:00", "something", reason]
        let lines = TextTable(columns: columns, rows: [row]).lines(width: width).joined(separator: "\n")
        let titles = lines.prefix { $0 != "\n" }.split(separator: " ").map(String.init)
        let order = ["NAME", "ADDRESS", "SINCE", "MORE", "WHY"]
        #expect(titles == Array(order.prefix(titles.count)), "\(lines)")
        let bare = lines.filter { !$0.isWhitespace }
        #expect(bare.contains(reason.filter { !$0.isWhitespace }), "\(lines)")
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
