import DNSMessages
import DNSSD
import EventLoops
import TestSupport

@testable import MulticastDNS

/// A course of random events on the links of a ``Responder``, and the record of every packet that it sends, every state that
/// it reports, and what it counts: services published, updated and withdrawn, others that claim their names and the host's, a
/// second responder of this host, questions of all kinds, links that come and go, and time.
///
/// What is sent at one moment is sorted, since the order of a dictionary's elements is another in each process.
struct ResponderTranscript {
    private static let eth1 = NetworkInterface(index: 3, name: "eth1")
    private static let secondPath = ServicePath(interface: eth1, family: .ipv4)

    private var bench: ResponderBench
    private var generator: SeededGenerator
    private var publications: [PublicationID] = []
    private(set) var transcript = CourseTranscript()

    /// Plays the course of a seed: in one of three, the limits are near.
    init(seed: UInt64, steps: Int = 250) throws {
        let near = ResponderLimits(
            publications: 3,
            addressesPerLink: 1,
            announcements: 3,
            deferringSources: 1,
            packetsPerDeferral: 2,
            allowances: 2,
            answerBurst: 24,
            answersPerSecond: 4
        )
        bench = ResponderBench(seed: seed &+ 1, limits: seed % 3 == 0 ? near : ResponderLimits())
        generator = SeededGenerator(seed: seed)
        publications = [try bench.publish()]
        note("begin")
        for _ in 0..<steps { note(try step()) }
    }

    // MARK: Events

    private mutating func draw(_ count: Int) -> Int { Int(generator.next() % UInt64(count)) }

    private mutating func instance() -> String {
        let name = ["Kitchen", "Kitchen", "Kitchen (2)", "Kitchen (3)", "Hall", "Hall (2)"][draw(6)]
        return "\(name).\(ResponderBench.typeName)"
    }

    private mutating func host() -> String { ["alpha.local", "alpha.local", "alpha-2.local", "beta.local"][draw(4)] }

    /// The address of somebody on the link, of this host, or of somebody who is not there.
    private mutating func source() -> String {
        ["10.0.0.9", "10.0.0.9", "10.0.0.8", "10.0.0.1", "10.0.1.1", "10.0.9.9"][draw(6)]
    }

    private mutating func path() -> ServicePath { draw(5) == 0 ? Self.secondPath : bench.path }

    /// Lets something happen, and returns what it was.
    private mutating func step() throws -> String {
        switch draw(36) {
        case 0...4: return pass(.milliseconds(draw(300)))
        case 5...8: return pass(.milliseconds(draw(3_000)))
        case 9: return pass(.seconds(draw(100)))
        case 10: return pass(.seconds(draw(4) == 0 ? draw(2_000) : draw(30)))
        case 11: return try publish()
        case 12: return update()
        case 13: return end()
        case 14...15: return changeLinks()
        case 16...19:
            let record = try record(ttl: [120, 120, 4_500, 1, 0][draw(5)])
            bench.receive(Samples.response(record), from: source(), port: draw(8) == 0 ? 9_999 : 5_353, on: path())
            return "response"
        case 20...23:
            let claimed = [try record(ttl: 120), try record(ttl: 120)]
            bench.receive(Samples.probe(claimed[0], claimed[draw(2)]), from: source(), on: path())
            return "probe"
        case 24...25: return try claimHost()
        case 26...29: return try ask(port: 5_353)
        case 30...31: return try ask(port: 40_000)
        case 32...33:
            // The rest of what somebody knows, with or without more to come.
            var message = DNSMessage(answers: [try record(ttl: 4_500), try record(ttl: 120)])
            message.flags.isTruncated = draw(3) == 0
            bench.receive(message, from: source())
            return "known answers"
        default:
            let id = publications[draw(publications.count)]
            bench.responder.stopSilently(id, now: bench.now)
            bench.turn()
            return "stop silently"
        }
    }

    private mutating func pass(_ time: Duration) -> String {
        bench.advance(by: time)
        return "time"
    }

    private mutating func publish() throws -> String {
        let name = ["Kitchen", "Kitchen (2)", "Hall"][draw(3)]
        let interfaces: Set<String> = [[], [], ["eth1"], ["eth7"]][draw(4)]
        let advertisement = Advertisement(
            name: name,
            types: [ResponderBench.type],
            port: UInt16(3_000 + draw(2)),
            txt: try TXTRecord([("v", "\(draw(3))")]),
            interfaces: interfaces
        )
        do throws(BackendError) {
            publications.append(try bench.responder.publish(advertisement, now: bench.now, using: &bench.random))
        } catch {
            return "publish: \(error.code)"
        }
        bench.turn()
        return "publish"
    }

    private mutating func update() -> String {
        let value = draw(30) == 0 ? String(repeating: "x", count: 300) : "\(draw(4))"
        let text = TXTRecord(strings: [Array("v=\(value)".utf8)])
        // In one of four, more often than a record may be announced.
        for number in 0..<(draw(4) == 0 ? 12 : 1) {
            let text = number % 2 == 0 ? text : TXTRecord(strings: [Array("v=\(number)".utf8)])
            bench.responder.update(publications[draw(publications.count)], text: text, now: bench.now)
        }
        bench.turn()
        return "update"
    }

    private mutating func end() -> String {
        if draw(6) == 0 {
            bench.responder.withdrawAll(now: bench.now)
        } else {
            bench.responder.withdraw(publications[draw(publications.count)], now: bench.now)
        }
        bench.turn()
        return "withdraw"
    }

    private mutating func changeLinks() -> String {
        let first = ResponderBench.link("10.0.0.1")
        let second = ResponderBench.link("10.0.1.1", on: Self.eth1)
        let links = [
            [], [first], [first], [first, second], [first, second], [second],
            [ResponderBench.link("10.0.0.1", "10.0.0.7"), second], [ResponderBench.link("10.0.0.7")],
            [ResponderBench.link("10.0.0.1", "fe80::1")],
        ]
        let trouble = draw(3) == 0 ? BackendError(.noInterface, "the cable is out") : nil
        bench.responder.setLinks(links[draw(links.count)], trouble: trouble, now: bench.now, using: &bench.random)
        bench.turn()
        return "links"
    }

    /// Another responder of this host claims its name, with addresses that it knows.
    private mutating func claimHost() throws -> String {
        var claimed: [DNSRecord] = []
        if draw(3) > 0 { claimed.append(try Samples.a("alpha.local", 0x0A00_0001)) }
        if draw(3) == 0 { claimed.append(try Samples.a("alpha.local", 0x0A00_0007)) }
        if draw(3) == 0 { claimed.append(try Samples.aaaa("alpha.local", 0xFE80 << 112 | 1)) }
        if claimed.isEmpty { claimed.append(try Samples.a("alpha.local", 0x0A00_0002)) }
        var message = Samples.probe(claimed[0])
        message.authorities = claimed.map { record in
            var record = record
            record.isCacheFlush = false
            return record
        }
        bench.receive(message, from: ["10.0.0.1", "10.0.0.1", "10.0.1.1", "10.0.0.9"][draw(4)], on: path())
        return "host claimed"
    }

    private mutating func ask(port: UInt16) throws -> String {
        let names = [ResponderBench.typeName, instance(), host(), "_services._dns-sd._udp.local"]
        let types: [DNSRecordType] = [.ptr, .any, .srv, .txt, .a, .aaaa]
        var query = DNSMessage(answers: draw(3) == 0 ? [try record(ttl: [4_500, 2_250, 60, 59][draw(4)])] : [])
        for _ in 0...draw(2) {
            query.questions.append(
                DNSQuestion(
                    name: try DomainName(escaped: names[draw(4)]),
                    type: types[draw(6)],
                    isUnicastWanted: draw(3) == 0
                )
            )
        }
        query.flags.isTruncated = draw(4) == 0
        bench.receive(query, from: source(), port: port, on: path())
        return "question"
    }

    /// A record that somebody else has of one of our names, or that is like ours.
    private mutating func record(ttl: UInt32) throws -> DNSRecord {
        switch draw(8) {
        case 0...1: try Samples.srv(instance(), port: UInt16(3_000 + draw(2)), host: host(), ttl: ttl)
        case 2: try Samples.txt("v=\(draw(3))", of: instance(), ttl: ttl)
        case 3: try Samples.ptr(ResponderBench.typeName, instance(), ttl: ttl)
        case 4: try Samples.aaaa(host(), 0xFE80 << 112 | UInt128(draw(3)), ttl: ttl)
        case 5: try Samples.ptr("_services._dns-sd._udp.local", ResponderBench.typeName, ttl: ttl)
        default: try Samples.a(host(), 0x0A00_0001 + UInt32(draw(9)), ttl: ttl)
        }
    }

    // MARK: The record

    private mutating func note(_ cause: String) {
        var lines = bench.sent.map(Self.line).sorted()
        lines += bench.states.map { "\($0)" }
        lines += bench.warnings.map { "\($0.code)" }
        lines.append("counts \(bench.responder.counters)")
        let next = bench.responder.deadline.map { "\(($0 - ResponderBench.start) / .milliseconds(1))" } ?? "-"
        transcript.lines.append(
            "\(bench.time / .milliseconds(1)) \(cause): \(lines.joined(separator: "; ")); next \(next)"
        )
        (bench.sent, bench.states, bench.warnings) = ([], [], [])
    }

    private static func line(_ packet: ResponderBench.Sent) -> String {
        let message = packet.message
        let questions = message.questions.map { "\($0.name.escaped) \($0.type)\($0.isUnicastWanted ? " QU" : "")" }
        let sections = [message.answers, message.authorities, message.additionals].map { records in
            records.map { "\($0.name.escaped) \($0.ttl)\($0.isCacheFlush ? "!" : "") \($0.data)" }.sorted()
        }
        return
            "\(packet.time / .milliseconds(1)) \(packet.path.interface.name) \(packet.path.family) to \(packet.target): "
            + "\(questions.sorted()) \(sections)"
    }
}
