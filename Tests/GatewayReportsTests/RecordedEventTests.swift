import Constellation
import DNSSD
import GatewayProtocol
import GatewaySamples
import TestSupport
import Testing

@testable import GatewayReports

/// An event is read as it was written, to the byte; anything else ends in an error.
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
            // Swift takes two spellings of one letter for the same; the network does not.
            #expect(back.line == event.line)
        }
    }

    @Test func txtThatIsNoTextIsExact() throws {
        let strings: [[UInt8]] = [[0x6B, 0x3D, 0xFF, 0x00, 0x80], Array("flag".utf8), Array("empty=".utf8)]
        let service = try Fixture.service(txt: strings)
        let back = try RecordedEvent(line: RecordedEvent(at: .zero, event: .serviceFound(service)).line.dropLast())
        guard case .serviceFound(let read) = back.event else {
            Issue.record("another event: \(back)")
            return
        }
        #expect(read.txt?.strings == strings)
        #expect(read == service, "also which path leads")
    }

    /// A recording can come from anybody: whatever is in it, reading ends in an event or in an error.
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

    /// Recordings of earlier versions call the OptaPlus dialect `design`.
    @Test func theEarlierNameOfADialectIsRead() throws {
        let endpoint = #"{"address":{"ip":"10.0.0.1"},"port":3000}"#
        let gateway = #"{"bots":[],"dialect":"design","proof":0}"#
        let line = #"{"at":[0,0],"endpoint":\#(endpoint),"event":"probed","outcome":{"gateway":\#(gateway)}}"#
        guard case .probed(_, .gateway(let identity), _) = try RecordedEvent(line: Array(line.utf8)).event else {
            Issue.record("another event")
            return
        }
        #expect(identity.dialect == .optaplus)
    }

    @Test func theHeaderComesBackAsItWas() throws {
        let header = RecordingHeader(startedAt: Timestamp(milliseconds: 1_795_000_000_123))
        #expect(try RecordingHeader(line: header.line.dropLast()) == header)
    }

    /// A line can be as long as a file: what is read of it is bounded in bytes, depth and entries.
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
