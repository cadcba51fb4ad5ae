import DNSSD
import Foundation
import GatewayProtocol
import GatewaySamples
import Pairing
import Reports
import Scanning
import TestSupport
import Testing

// From here to the suite: the listings of Sources/Reports/Reports.docc, word for word. Change both
// together.

func document(of pairings: [StoredPairing]) -> String {
    PairingListReport(pairings.map { PairingReport($0) }).line
}

func lines(_ updates: [MapUpdate]) -> [String] {
    var feed = GatewayFeed()
    return updates.flatMap { feed.take($0) }
        .map { GatewayChangeReport($0, at: .now).line }
}

func replay(_ lines: [[UInt8]]) throws -> BotMap {
    var map = BotMap()
    _ = try RecordingHeader(line: lines.first ?? [])
    for line in lines.dropFirst() { map.apply(try RecordedEvent(line: line).event) }
    return map
}

/// The listings of the guide compile, and each document has exactly the fields that the guide lists.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Reports")
        #expect(listings.count == 3)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    // MARK: The tables

    /// Returns the fields that the guide lists under the headline that ends with this name.
    private static func listed(_ name: String) throws -> Set<String> {
        try #require(try GuideTable.fields(of: name, inGuideOf: "Reports"), "\(name)")
    }

    private static func fields(_ reports: [any JSONReport]) -> Set<String> {
        Set(reports.flatMap(\.fields.keys))
    }

    private struct Sample {
        let gateway: Gateway
        let other: Gateway
        let service: DiscoveredService

        init() throws {
            let service = try Fixture.service()
            let endpoints = try ["10.0.0.2", "10.0.0.3"].map { text in
                Endpoint(address: try #require(IPAddress(text)), port: 3_000)
            }
            var map = BotMap()
            map.apply(.serviceFound(service))
            let identity = GatewayIdentity(fingerprint: GatewayFingerprint("abc123"), name: "Home", dialect: .optaplus)
            map.apply(.probed(endpoints[0], .gateway(identity)))
            map.apply(.endpointAdded(endpoints[1], .local))
            map.apply(.probed(endpoints[1], .somethingElse(ForeignAnswer(summary: "an SSH server", bytes: [0x53]))))
            self.gateway = try #require(map.gateways.first { $0.isGateway })
            self.other = try #require(map.gateways.first { !$0.isGateway })
            self.service = service
        }
    }

    @Test func theTablesListEachFieldOfADocument() throws {
        let sample = try Sample()
        let unresolved = try Fixture.service(name: "lost", resolution: .failed(reason: "nobody answered"))
        let scan = ServiceScanReport(services: [sample.service], source: .avahi, elapsed: .seconds(1))
        let snapshot = NetworkSnapshot(rows: [sample.gateway, sample.other], services: [sample.service])
        let key = BotKey(gateway: sample.gateway.id, bot: try #require(BotID("1")))
        var map = BotMap()
        map.apply(.paired(PairedBot(id: key, name: "Jarvis")))
        let bot = try #require(map.gateways.first?.bots.first)
        let changes: [GatewayFeed.Change] = [
            .found(sample.gateway), .changed(sample.other, since: sample.other, [.paths]),
            .lost(sample.gateway), .joined(sample.gateway, into: sample.other),
        ]
        let changeReports = changes.map { GatewayChangeReport($0, at: .now) }
        let ofServices: [ServiceChange] = [
            .found(sample.service), .changed(sample.service, [.txt]), .lost(sample.service, .withdrawn),
        ]
        let probe = GatewayProbeReport(verdict: .nothing(.refused), path: nil, steps: [], elapsed: .zero)
        let placed = BotAtGatewayReport(bot, at: sample.gateway, trust: "pinned", lastSeen: nil)
        let documents: [(String, [any JSONReport])] = [
            ("ScanReport", [ScanReport(snapshot, scan: scan)]), ("ServiceScanReport", [scan]),
            ("GatewayReport", [GatewayReport(sample.gateway)]),
            ("OtherReport", [OtherReport(sample.other)]),
            ("GatewayPathReport", sample.gateway.paths.map(GatewayPathReport.init)), ("BotReport", [BotReport(bot)]),
            ("ServiceReport", [ServiceReport(sample.service), ServiceReport(unresolved)]),
            ("ServiceChangeReport", ofServices.map { ServiceChangeReport($0, at: .now) }),
            ("ProbeReport", [ProbeReport(probe)]), ("ConstellationReport", [ConstellationReport([placed])]),
            ("BotAtGatewayReport", [placed]),
        ]
        for (name, reports) in documents {
            #expect(try Self.listed(name) == Self.fields(reports), "\(name)")
        }
        for (name, reports) in try PairingSample.documents() {
            #expect(try Self.listed(name) == Self.fields(reports), "\(name)")
        }
        // Only the map itself can report a problem.
        #expect(try Self.listed("GatewayChangeReport") == Self.fields(changeReports).union(["problem"]))
    }

    /// Only a whole document has the field `schema`; its parts do not repeat it.
    @Test func aDocumentHasItsSchemaAndItsPartsHaveNone() throws {
        let sample = try Sample()
        let scan = ServiceScanReport(services: [sample.service], source: .avahi, elapsed: .seconds(1))
        let line = ScanReport(NetworkSnapshot(rows: [sample.gateway], services: [sample.service]), scan: scan).line
        #expect(line.components(separatedBy: "\"schema\":2").count == 2)
        #expect(try JSONValue(parsing: Array(line.utf8))["schema"]?.int == 2)
    }

    @Test func theListingsDoWhatTheGuideSays() throws {
        let sample = try Sample()
        let reported = lines([.change(.found(sample.gateway), revision: 1)])
        #expect(reported.count == 1)
        #expect(reported.first?.contains(#""event":"found""#) == true)
        let event = RecordedEvent(at: .seconds(1), event: .serviceFound(sample.service))
        let header = RecordingHeader(startedAt: .now)
        let map = try replay([header.line.dropLast(), event.line.dropLast()])
        #expect(map.gateways.count == 1)
        let pairings = document(of: [try PairingSample.pairing()])
        #expect(pairings.hasPrefix(#"{"pairings":[{"#))
        #expect(!pairings.contains("token"))
    }
}
