import DNSSD
import GatewayProtocol
import GatewaySamples
import Scanning
import TestSupport
import Testing

@testable import Reports

/// An event is read as it was written, byte for byte, and any other line is an error.
@Suite struct RecordedEventTests {
    @Test func everyEventComesBackAsItWas() throws {
        var source = AnyEvent(random: .forFuzzing("recorded events"))
        for _ in 0..<2_000 {
            let event = RecordedEvent(at: .nanoseconds(123_456_789), event: try source.next())
            let back = try RecordedEvent(line: event.line.dropLast())
            guard back == event else {
                Issue.record("\(event) came back as \(back)")
                return
            }
            // The bytes are compared as well, because strings that differ only in their Unicode normalization are equal
            // in Swift, but not in the network.
            #expect(back.line == event.line)
        }
    }

    /// Values beyond the limits are shortened when they are written, because a single line that cannot be read would
    /// end the recording.
    @Test func whatIsWrittenIsRead() throws {
        let long = String(repeating: "é", count: 5_000)
        let endpoint = Endpoint(address: try #require(IPAddress("10.0.0.1")), port: 1)
        let bot = BotDescription(id: try #require(BotID("1")), name: long, emoji: long, status: long)
        let identity = GatewayIdentity(
            fingerprint: nil,
            name: "a" + long,
            dialect: .optaplus,
            bots: [bot] + Array(repeating: BotDescription(id: bot.id, name: "b"), count: 1_024),
            leaf: nil
        )
        var service = try Fixture.service(resolution: .failed(reason: long))
        for index in 0..<1_100 as Range<UInt32> {
            service.record(
                Sighting(
                    instance: service.instance,
                    path: ServicePath(interface: NetworkInterface(index: index, name: "eth"), family: .ipv4),
                    source: SightingSource(rawValue: "x"),
                    resolution: .resolved,
                    addresses: index == 0 ? (0..<1_025).map { .v4(IPv4Address(bits: $0)) } : []
                )
            )
        }
        let key = BotKey(gateway: .candidate(.endpoint(endpoint)), bot: bot.id)
        let events: [BotMapEvent] = [
            .serviceFound(try Fixture.service(resolution: .failed(reason: long))), .serviceFound(service),
            .endpointAdded(endpoint, .remote, entry: long),
            .probed(endpoint, .gateway(identity), roundTrip: .seconds(Int64.max)),
            .probed(endpoint, .somethingElse(ForeignAnswer(summary: long, bytes: []))),
            .probed(endpoint, .nothing(.noAnswer(within: .seconds(-1)))),
            .liveness(endpoint, .answering, roundTrip: Duration(attoseconds: .max)),
            .located(endpoint, .neighbour(hardwareAddress: Array(repeating: 1, count: 5_000))),
            .paired(PairedBot(id: key, name: long, emoji: long, gatewayName: long)),
        ]
        for event in events {
            for at in [Duration.zero, .seconds(-1), .seconds(Int64.max)] {
                let line = RecordedEvent(at: at, event: event).line
                let back = try RecordedEvent(line: line.dropLast())
                #expect(back.line == line)
            }
        }
        let line = RecordedEvent(at: .zero, event: events[3]).line
        guard case .probed(_, .gateway(let read), let roundTrip) = try RecordedEvent(line: line.dropLast()).event else {
            Issue.record("expected a probe with an identity")
            return
        }
        // The limit of 4,096 bytes falls inside a letter, which is left out.
        #expect(read.name == "a" + String(repeating: "é", count: 2_047))
        #expect(read.bots.count == 1_024)
        #expect(roundTrip == .seconds(1_000_000_000))
    }

    /// The form of a line stays the same, since recordings outlive the version that has written them.
    @Test func theFormOfALineStays() throws {
        let endpoint = Endpoint(address: try #require(IPAddress("10.0.0.1")), port: 1)
        let place = #"{"address":{"ip":"10.0.0.1"},"port":1}"#
        let key = BotKey(gateway: .candidate(.endpoint(endpoint)), bot: try #require(BotID("b")))
        let bot = BotDescription(id: key.bot, name: "Zoë", emoji: "🤖")
        let identity = GatewayIdentity(fingerprint: GatewayFingerprint("f"), dialect: .optaplus, bots: [bot])
        let found =
            #"{"gateway":{"bots":[{"emoji":"🤖","id":"b","name":"Zoë"}],"dialect":"optaplus","fingerprint":"f","proof":0}}"#
        let events: [(BotMapEvent, String)] = [
            (
                .probed(endpoint, .gateway(identity), roundTrip: .milliseconds(1)),
                #""endpoint":\#(place),"event":"probed","outcome":\#(found),"roundTrip":[0,1000000000000000]"#
            ),
            (
                .probed(endpoint, .nothing(.noAnswer(within: .seconds(2)))),
                #""endpoint":\#(place),"event":"probed","outcome":{"nothing":{"reason":"noAnswer","within":[2,0]}}"#
            ),
            (
                .proved(endpoint, .pinnedLeaf, leaf: nil),
                #""endpoint":\#(place),"event":"proved","proof":"pinnedLeaf""#
            ),
            (
                .stateChanged(key, .pairing),
                #""bot":{"bot":"b","gateway":{"lead":{"endpoint":\#(place)}}},"event":"stateChanged","state":"pairing""#
            ),
        ]
        for (event, text) in events {
            let line = String(decoding: RecordedEvent(at: .seconds(1), event: event).line, as: UTF8.self)
            #expect(line == #"{"at":[1,0],\#(text)}"# + "\n")
        }
    }

    /// A TXT record that is no text is recorded byte for byte.
    @Test func txtThatIsNoTextIsExact() throws {
        let strings: [[UInt8]] = [[0x6B, 0x3D, 0xFF, 0x00, 0x80], Array("flag".utf8), Array("empty=".utf8)]
        let service = try Fixture.service(txt: strings)
        let back = try RecordedEvent(line: RecordedEvent(at: .zero, event: .serviceFound(service)).line.dropLast())
        guard case .serviceFound(let read) = back.event else {
            Issue.record("expected a found service, found \(back)")
            return
        }
        #expect(read.txt?.strings == strings)
        #expect(read == service, "the leading path must be the same")
    }

    /// Reading any line ends in an event or an error, because a recording may come from anybody.
    @Test func mutatedLinesNeverTrap() throws {
        var source = AnyEvent(random: .forFuzzing("mutated recordings"))
        var map = BotMap()
        for _ in 0..<2_000 {
            let line = RecordedEvent(at: .milliseconds(1), event: try source.next()).line
            let mutated = source.random.mutate(line)
            if let event = try? RecordedEvent(line: mutated) { map.apply(event.event) }
        }
        #expect(map.gateways.count <= BotMapLimits().candidates)
    }

    /// The name `design` of the OptaPlus dialect in recordings of earlier versions is still read.
    @Test func theEarlierNameOfADialectIsRead() throws {
        let endpoint = #"{"address":{"ip":"10.0.0.1"},"port":3000}"#
        let gateway = #"{"bots":[],"dialect":"design","proof":0}"#
        let line = #"{"at":[0,0],"endpoint":\#(endpoint),"event":"probed","outcome":{"gateway":\#(gateway)}}"#
        guard case .probed(_, .gateway(let identity), _) = try RecordedEvent(line: Array(line.utf8)).event else {
            Issue.record("expected a probe with an identity")
            return
        }
        #expect(identity.dialect == .optaplus)
    }

    @Test func theHeaderComesBackAsItWas() throws {
        let header = RecordingHeader(startedAt: Timestamp(milliseconds: 1_795_000_000_123))
        #expect(try RecordingHeader(line: header.line.dropLast()) == header)
    }

    /// What is said of a recording that cannot be used tells what was expected.
    @Test(arguments: [
        ("{}", "this is no recording"),
        (#"{"clawradarRecording":2,"startedAt":"2026-11-21T12:00:00.000Z"}"#, "this program reads 1"),
        (#"{"clawradarRecording":1,"startedAt":"today"}"#, "“startedAt” is to be a time"),
    ])
    func aHeaderThatCannotBeUsedIsExplained(line: String, reason: String) throws {
        let problem = #expect(throws: RecordingProblem.self) { try RecordingHeader(line: Array(line.utf8)) }
        #expect(problem?.description.contains(reason) == true)
    }

    @Test(arguments: [
        ("[", "a line is to be an object of JSON"), ("[]", "the event is to be an object"),
        (#"{"at":[0,0],"event":"exploded"}"#, "“event” of the event is to be a word"),
    ])
    func anEventThatCannotBeUsedIsExplained(line: String, reason: String) throws {
        let problem = #expect(throws: RecordingProblem.self) { try RecordedEvent(line: Array(line.utf8)) }
        #expect(problem?.description.contains(reason) == true)
    }

    /// A line is read within limits of bytes, depth and entries, because a recording may contain lines of any length.
    @Test func hostileLinesAreBounded() {
        let long = Array(repeating: UInt8(ascii: " "), count: RecordedEvent.lineLimit + 1)
        let deep = Array(String(repeating: "[", count: 100_000).utf8)
        let many =
            "{\"at\":[0,0],\"event\":\"serviceFound\",\"service\":{\"instance\":{\"name\":\"a\",\"type\":\"_a._tcp\","
            + "\"domain\":\"local\"},\"sightings\":[" + Array(repeating: "{}", count: 2_000).joined(separator: ",")
            + "]}}"
        let text = "{\"at\":[0,0],\"event\":\"\(String(repeating: "x", count: 5_000))\"}"
        for line in [long, deep, Array(many.utf8), Array(text.utf8), [], [0xFF]] {
            #expect(throws: RecordingProblem.self) { try RecordedEvent(line: line) }
        }
    }
}
