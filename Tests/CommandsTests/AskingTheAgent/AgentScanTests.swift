import Agent
import ArgumentParser
import DNSSD
import Discovery
import GatewayProtocol
import GatewaySamples
import Pairing
import Reports
import Scanning
import Testing

@testable import Commands
@testable import Console

/// The rows, lines and outcome of a scan that an agent has made, from its JSON alone.
@Suite struct AgentScanTests {
    private static let scope = ScanScope(connected: ["eth0"])

    /// Returns the events of all kinds of rows.
    private static func events() throws -> [BotMapEvent] {
        let evil = "\u{1B}[31m\u{202E}\nX"
        let bots = Rows.bots((1...40).map { "Bot \($0)" })
        let busy = BotDescription(id: try #require(BotID("busy")), name: evil, emoji: evil, status: "busy")
        return try Rows.mixed() + [
            .endpointAdded(Rows.endpoint(9), .local), .probed(Rows.endpoint(9), Rows.gateway()),
            .liveness(Rows.endpoint(9), .suspect),
            .endpointAdded(Rows.endpoint(10), .local),
            .probed(Rows.endpoint(10), Rows.gateway(fingerprint: nil, name: evil, bots: bots)),
            .liveness(Rows.endpoint(10), .answering, roundTrip: .microseconds(123_456)),
            .endpointAdded(Rows.endpoint(11), .local),
            .probed(Rows.endpoint(11), Rows.gateway(fingerprint: "eleven", name: "Eleven", bots: [busy])),
            .liveness(Rows.endpoint(11), .gone),
        ]
    }

    private static func scan(
        _ snapshot: NetworkSnapshot,
        warnings: [String] = [],
        trouble: String? = nil
    ) throws -> AgentScan {
        let services = ServiceScanReport(
            services: snapshot.services,
            source: .avahi,
            elapsed: .milliseconds(3),
            warnings: warnings
        )
        var fields = ScanReport(snapshot, scan: services).fields
        fields["trouble"] = JSONValue(trouble)
        let bytes = JSONValue.object(fields).encoded
        return AgentScan(try JSONValue(parsing: bytes, limits: JSONLimits(maximumBytes: 1_048_576)))
    }

    @Test func rowsFromJSONAreThoseOfTheMap() throws {
        let snapshot = Rows.snapshot(try Self.events())
        let scan = try Self.scan(snapshot)
        #expect(snapshot.gateways.count >= 3)
        #expect(scan.gateways == snapshot.gateways.map { GatewayRow($0, hasLooked: true) })
        #expect(snapshot.others.count >= 3)
        #expect(scan.others == snapshot.others.map(OtherRow.init))
    }

    @Test func botsFromJSONAreThoseOfTheMap() throws {
        let snapshot = Rows.snapshot(try Self.events())
        let scan = try Self.scan(snapshot)
        let bots = BotAtGateway.all(in: snapshot.gateways, PairedGateways(), now: .now)
        #expect(bots.count > 32)
        let rows = try bots.map { bot in
            let report = try JSONValue(parsing: bot.report.json.encoded)
            return BotTableRow(report: report, at: scan.gateway(report["gateway"]?.string ?? ""), nil)
        }
        #expect(rows == bots.map(BotTableRow.init))
    }

    /// The JSON of a paired bot says what every table says: that its gateway does not answer, and when it did last.
    @Test func aPairedBotOfASilentGatewayIsGone() throws {
        let found = try Rows.mixed()
        let gateway = try #require(Rows.snapshot(found).gateways.first).id
        let paired = BotMapEvent.paired(
            PairedBot(id: BotKey(gateway: gateway, bot: try #require(BotID("jarvis"))), name: "Jarvis")
        )
        func states(_ events: [BotMapEvent]) -> [String] {
            BotAtGateway.all(in: Rows.snapshot(events).gateways, PairedGateways(), now: .now)
                .filter(\.bot.isPaired)
                .compactMap { $0.report.fields["state"]?.string }
        }
        #expect(states(found + [paired]) != ["gone"])
        #expect(states([paired]) == ["gone"])
        #expect(states(found + [paired, .liveness(Rows.endpoint(), .gone)]) == ["gone"])
    }

    /// The JSON of a bot whose gateway has gone silent has the last time that an answer took, and when it was last seen, which
    /// is not when it was last in session; and all by which the user finds it: fingerprint, status, and the address outside.
    @Test func theLastOfASilentGatewayIsKnown() throws {
        var pairing = try Pairings.pairing("Home", id: "a", fingerprint: "fp-home", bots: [("bot-1", "Jarvis")])
        pairing.remoteURL = "wss://home.example"
        pairing.lastConnected = 1_700_000_000_000
        var paired = PairedGateways()
        let identity = GatewayIdentity(
            fingerprint: GatewayFingerprint("fp-home"),
            name: "Home",
            dialect: .optaplus,
            bots: Rows.bots(["Jarvis"]),
            leaf: LeafFingerprint(String(repeating: "5f", count: 32))
        )
        let (place, time) = (pairing.endpoints[0], Duration.milliseconds(7))
        let answered: [BotMapEvent] =
            paired.take([pairing], network: { _ in nil }) + [
                .endpointAdded(place, .local), .probed(place, .gateway(identity)),
                .liveness(place, .answering, roundTrip: time),
            ]
        let (outage, now) = (Timestamp(milliseconds: 1_700_000_060_000), Timestamp(milliseconds: 1_700_000_090_000))
        func fields(_ events: [BotMapEvent], _ outages: [PairingID: Timestamp]) throws -> [String: JSONValue] {
            let bots = BotAtGateway.all(in: Rows.map(events).gateways, paired, now: now, outages: outages)
            return try #require(bots.first).report.fields
        }
        let gone = answered + [.liveness(place, .gone)]
        for (events, outages, seen) in [
            (answered, [:], now), (gone, [pairing.id: outage], outage),
            (gone, [:], Timestamp(milliseconds: 1_700_000_000_000)),
        ] {
            let found = try fields(events, outages)
            #expect(found["lastSeen"]?.string == seen.description)
            #expect(found["latencyMs"] == JSONValue(milliseconds: time))
            #expect(found["fingerprint"]?.string == "fp-home" && found["status"]?.string == "online")
            #expect(found["remoteURL"]?.string == "wss://home.example")
        }
    }

    @Test func theLinesAreThoseOfAScan() throws {
        let lines = try Self.scan(Rows.snapshot(try Rows.mixed())).lines.map { try JSONValue(parsing: Array($0.utf8)) }
        let kinds = lines.compactMap { $0["kind"]?.string }
        #expect(kinds == ["gateway", "other", "other", "other", "service", "service"])
        #expect(lines.allSatisfy { $0["event"]?.string == "found" && $0["schema"]?.int == 2 && $0["time"] != nil })
        #expect(lines.first?["gateway"]?["name"]?.string == "Home")
    }

    /// The verdict is that of a scan without an agent, but that a gateway in doubt does not count: the agent has asked it
    /// anew.
    @Test func theOutcomeIsThatOfAScan() throws {
        let mixed = Rows.snapshot(try Rows.mixed())
        #expect(try Self.scan(mixed).verdict(scope: Self.scope) == .found(warning: nil))
        #expect(
            try Self.scan(mixed, trouble: "no daemon").verdict(scope: Self.scope)
                == .found(warning: "this may not be all: no daemon")
        )
        let suspect = Rows.snapshot(try Rows.mixed() + [.liveness(Rows.endpoint(), .suspect)])
        let message = "no gateway answered; the table says why of the 4 things that were found."
        #expect(try Self.scan(suspect).verdict(scope: Self.scope) == .failed(CommandFailure(.nothingFound, message)))
        let nothing = NetworkSnapshot(rows: [], services: [])
        let result = ScanResult(
            services: [],
            status: .running,
            source: .avahi,
            warnings: [],
            elapsed: .seconds(1)
        )
        let verdict = ScanVerdict(nothing, result, timeout: TimeLimit(seconds: 3), scope: Self.scope)
        #expect(try Self.scan(nothing).verdict(scope: Self.scope) == verdict)
        #expect(
            try Self.scan(nothing, trouble: "no daemon").verdict(scope: Self.scope)
                == .failed(CommandFailure(.unavailable, "no daemon"))
        )
    }
}
