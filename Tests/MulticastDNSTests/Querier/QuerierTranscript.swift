import DNSSD
import TestSupport

@testable import Discovery

/// A random sequence of events on the link of a ``Querier``, and a transcript of every packet that the querier sends
/// and every event that it reports.
///
/// The events are complete and partial answers, goodbyes, questions of other queriers, losses of packets, browses that
/// begin and end, and the passing of time. Packets and events of the same moment are recorded in their order.
struct QuerierTranscript {
    private var link: QuerierHarness
    private var generator: SeededGenerator
    private(set) var transcript = CourseTranscript()

    /// Plays the sequence of a seed. Every third seed uses low limits, so that they are reached.
    init(seed: UInt64, steps: Int = 250) throws {
        let near = QuerierLimits(
            instances: 4,
            recordsPerInstance: 2,
            addressesPerHost: 2,
            records: 24,
            questionBurst: 6,
            questionsPerSecond: 2
        )
        link = QuerierHarness(seed: seed &+ 1, limits: seed % 3 == 0 ? near : QuerierLimits())
        generator = SeededGenerator(seed: seed)
        try link.browse("_openclaw._tcp")
        note("begin")
        for _ in 0..<steps { note(try step()) }
    }

    // MARK: Events

    private mutating func instance() -> String { "Desk \(generator.draw(7))" }

    private mutating func host() -> String { "h\(generator.draw(4))" }

    /// Performs one random event, and returns its name for the transcript.
    private mutating func step() throws -> String {
        let source = "10.0.0.\(2 + generator.draw(5))"
        switch generator.draw(30) {
        case 0...3: return pass(.milliseconds(generator.draw(200)))
        case 4...6: return pass(.milliseconds(generator.draw(3_000)))
        case 7: return pass(.seconds(generator.draw(100)))
        case 8: return pass(.seconds(generator.draw(4) == 0 ? generator.draw(4_500) : generator.draw(20)))
        case 9...12:
            let message = try Responses.whole(instance(), host: host(), port: UInt16(3_000 + generator.draw(2)))
            link.receive(message, from: source)
            return "whole"
        case 13...18:
            let message = DNSMessage(flags: .authoritativeResponse, answers: try records())
            link.receive(message, from: source, turning: generator.draw(4) > 0)
            return "some"
        case 19...20:
            link.receive(Responses.response(try goodbye()), from: source)
            return "goodbye"
        case 21...23:
            link.receive(try question(), from: source)
            return "question"
        case 24:
            link.receiveLegacy(try Responses.whole(instance(), host: host()))
            return "legacy"
        case 25:
            link.lose()
            return "lost"
        case 26:
            try link.reconfirm(instance())
            return "reconfirm"
        case 27:
            if generator.draw(2) == 0 { try link.protect(instance()) } else { try link.setOwn(instance()) }
            return "protect"
        case 28: return "give up: \(link.giveUpOne())"
        default:
            let number = 2 + generator.draw(2)
            if generator.draw(2) == 0 {
                try link.browse("_openclaw._tcp", number == 2 ? "_moltbot-gw._tcp" : "_clawdbot-gw._tcp", id: number)
            } else {
                link.endBrowse(number)
            }
            return "browse \(number)"
        }
    }

    private mutating func pass(_ time: Duration) -> String {
        link.advance(by: time)
        return "time"
    }

    /// Returns some of the records of a service, which may contradict earlier ones.
    private mutating func records() throws -> [DNSRecord] {
        let (name, host) = (instance(), host())
        let all = [
            try Responses.ptr(name, ttl: generator.draw(3) == 0 ? 4 : 4_500),
            try Responses.ptr(name, type: "_moltbot-gw._tcp"),
            try Responses.srv(
                name,
                host: host,
                port: UInt16(3_000 + generator.draw(2)),
                isCacheFlush: generator.draw(3) > 0
            ),
            try Responses.txt(name, "fp=\(generator.draw(3))", ttl: generator.draw(3) == 0 ? 10 : 4_500),
            try Responses.a(host, UInt32(0x0A00_0002 + generator.draw(4)), isCacheFlush: generator.draw(2) == 0),
            try Responses.aaaa(host, 0xFE80 << 112 | UInt128(generator.draw(4))),
        ]
        let mask = generator.draw(64)
        return all.indices.filter { mask >> $0 & 1 == 1 }.map { all[$0] }
    }

    private mutating func goodbye() throws -> DNSRecord {
        switch generator.draw(4) {
        case 0: try Responses.srv(instance(), host: host(), ttl: 0)
        case 1: try Responses.txt(instance(), "fp=\(generator.draw(3))", ttl: 0)
        case 2: try Responses.a(host(), UInt32(0x0A00_0002 + generator.draw(4)), ttl: 0)
        default: try Responses.ptr(instance(), ttl: 0)
        }
    }

    private mutating func question() throws -> DNSMessage {
        switch generator.draw(4) {
        case 0: try Responses.query("\(instance())._openclaw._tcp.local", .srv)
        case 1: try Responses.query("\(host()).local", .a)
        case 2: try Responses.query("_openclaw._tcp.local", .ptr, known: [Responses.ptr(instance())])
        default: try Responses.query("_openclaw._tcp.local", .ptr)
        }
    }

    // MARK: Transcript

    private mutating func note(_ cause: String) {
        var lines = link.takeSent().map { packet in
            let known = packet.message.answers.map { "\($0.data)" }
            return "\(packet.time / .milliseconds(1)) asks \(packet.questions) knowing \(known)"
        }
        lines += link.takeEvents().map(Self.line)
        lines += link.turnover().map { "\($0)" }
        lines.append("left out \(link.leftOut())")
        lines.append("expects until \(time(link.querier.expectation))")
        lines.append("next \(time(link.querier.deadline))")
        transcript.lines.append("\(time(link.now)) \(cause): " + lines.joined(separator: "; "))
    }

    private func time(_ instant: ContinuousClock.Instant?) -> String {
        instant.map { "\(($0 - link.start) / .milliseconds(1))" } ?? "-"
    }

    private static func line(_ event: QuerierEvent) -> String {
        switch event {
        case .sighted(let sighting, let browses):
            let text = sighting.txt.map { "\($0.strings)" } ?? "-"
            return "+\(sighting.instance) \(sighting.port ?? 0) \(sighting.addresses.map(\.description)) "
                + "\(sighting.resolution) \(text) \(browses.map(\.rawValue))"
        case .vanished(let instance, _, let reason, let browses):
            return "-\(instance) \(reason) \(browses.map(\.rawValue))"
        case .warning(let warning): return "warning \(warning.code)"
        }
    }
}
