import DNSSD
import HostSystem
import TestSupport

@testable import Discovery

/// A random sequence of events on the links of a ``Responder``, and a transcript of every packet that it sends, every
/// state that it reports, and its counters.
///
/// The events are services that are published, updated and withdrawn, claims of other hosts to their names and the
/// host's name, a second responder of this host, questions of all kinds, links that come and go, and the passing of
/// time.
///
/// The packets of one step and the records in each packet are sorted, since their order is that of a dictionary.
struct ResponderTranscript {
    private static let eth1 = NetworkInterface(index: 3, name: "eth1")
    private static let secondPath = ServicePath(interface: eth1, family: .ipv4)

    private var bench: ResponderBench
    private var generator: SeededGenerator
    private(set) var transcript = CourseTranscript()

    /// Plays the sequence of a seed. Every third seed uses low limits, so that they are reached.
    init(seed: UInt64, steps: Int = 250) throws {
        let near = ResponderLimits(
            publications: 3,
            addressesPerLink: 1,
            announcements: 3,
            deferringSources: 1,
            packetsPerDeferral: 2,
            allowances: 2,
            answerBurst: 6,
            answersPerSecond: 2
        )
        bench = ResponderBench(seed: seed &+ 1, limits: seed % 3 == 0 ? near : ResponderLimits())
        generator = SeededGenerator(seed: seed)
        _ = try bench.publish()
        note("begin")
        for _ in 0..<steps { note(try step()) }
    }

    // MARK: Events

    private mutating func instance() -> String {
        let name = ["Kitchen", "Kitchen", "Kitchen #2", "Kitchen #3", "Hall", "Hall #2"][generator.draw(6)]
        return "\(name).\(ResponderBench.typeName)"
    }

    private mutating func host() -> String {
        ["alpha.local", "alpha.local", "alpha-2.local", "beta.local"][generator.draw(4)]
    }

    /// Returns the address of a host on the link, of this host, or of a host that is not on the link.
    private mutating func source() -> String {
        ["10.0.0.9", "10.0.0.9", "10.0.0.9", "10.0.0.8", "10.0.0.8", "10.0.0.1", "10.0.1.1", "10.0.9.9"][
            generator.draw(8)
        ]
    }

    private mutating func path() -> ServicePath { generator.draw(8) == 0 ? Self.secondPath : bench.path }

    /// Returns one of the present publications.
    private mutating func publication() -> PublicationID? {
        let all = bench.responder.publications.keys.sorted()
        return all.isEmpty ? nil : all[generator.draw(all.count)]
    }

    /// Performs one random event, and returns its name for the transcript.
    private mutating func step() throws -> String {
        // Without a publication, the responder ignores all packets.
        if bench.responder.isIdle { return try publish() }
        switch generator.draw(36) {
        case 0...4: return pass(.milliseconds(generator.draw(300)))
        case 5...8: return pass(.milliseconds(generator.draw(3_000)))
        case 9: return pass(.seconds(generator.draw(100)))
        case 10: return pass(.seconds(generator.draw(4) == 0 ? generator.draw(2_000) : generator.draw(30)))
        case 11: return try publish()
        case 12: return update()
        case 13: return generator.draw(3) == 0 ? end() : try publish()
        case 14: return changeLinks()
        case 15...19:
            let record = try record(ttl: [120, 120, 4_500, 1, 0][generator.draw(5)])
            bench.receive(
                Samples.response(record),
                from: source(),
                port: generator.draw(8) == 0 ? 9_999 : 5_353,
                on: path()
            )
            return "response"
        case 20...23:
            let claimed = try (0...generator.draw(2)).map { _ in try record(ttl: 120) }
            bench.receive(Samples.probe(claimed), from: source(), on: path())
            return "probe"
        case 24...25: return try claimHost()
        case 26...29: return try ask(port: 5_353)
        case 30...31: return try ask(port: 40_000)
        default:
            // Further known answers of a querier, with or without more to follow.
            var message = DNSMessage(answers: [try record(ttl: 4_500), try record(ttl: 120)])
            message.flags.isTruncated = generator.draw(3) == 0
            bench.receive(message, from: source())
            return "known answers"
        }
    }

    private mutating func pass(_ time: Duration) -> String {
        bench.advance(by: time)
        return "time"
    }

    private mutating func publish() throws -> String {
        let name = ["Kitchen", "Kitchen #2", "Hall"][generator.draw(3)]
        let interfaces: Set<String> = [[], [], ["eth1"], ["eth7"]][generator.draw(4)]
        let advertisement = Advertisement(
            name: name,
            types: [ResponderBench.type],
            port: UInt16(3_000 + generator.draw(2)),
            txt: try TXTRecord([("v", "\(generator.draw(3))")]),
            interfaces: interfaces
        )
        do throws(BackendError) {
            _ = try bench.responder.publish(advertisement, now: bench.now, using: &bench.random)
        } catch {
            return "publish: \(error.code)"
        }
        bench.turn()
        return "publish"
    }

    private mutating func update() -> String {
        guard let id = publication() else { return "nothing to update" }
        let value = generator.draw(30) == 0 ? String(repeating: "x", count: 300) : "\(generator.draw(4))"
        let text = TXTRecord(strings: [Array("v=\(value)".utf8)])
        // One update in four changes the TXT record more often than it may be announced.
        for number in 0..<(generator.draw(4) == 0 ? 12 : 1) {
            let text = number % 2 == 0 ? text : TXTRecord(strings: [Array("v=\(number)".utf8)])
            bench.responder.update(id, text: text, now: bench.now)
        }
        bench.turn()
        return "update"
    }

    private mutating func end() -> String {
        guard let id = publication() else { return "nothing to end" }
        defer { bench.turn() }
        switch generator.draw(6) {
        case 0:
            for id in bench.responder.publications.keys.sorted() { bench.responder.withdraw(id, now: bench.now) }
            return "withdraw all"
        case 1...2:
            bench.responder.stopSilently(id, now: bench.now)
            return "stop silently"
        default:
            bench.responder.withdraw(id, now: bench.now)
            return "withdraw"
        }
    }

    private mutating func changeLinks() -> String {
        let first = ResponderBench.link("10.0.0.1")
        let second = ResponderBench.link("10.0.1.1", on: Self.eth1)
        let links = [
            [], [second], [first], [first], [first, second], [first, second], [first, second],
            [ResponderBench.link("10.0.0.1", "10.0.0.7"), second],
            [ResponderBench.link("10.0.0.1", "fe80::1")],
        ]
        let trouble = generator.draw(3) == 0 ? BackendError(.noInterface, "the cable is out") : nil
        bench.responder.setLinks(
            links[generator.draw(links.count)],
            trouble: trouble,
            now: bench.now,
            using: &bench.random
        )
        bench.turn()
        return "links"
    }

    /// Lets a responder, usually another one of this host, claim the host's name with the addresses that it knows.
    private mutating func claimHost() throws -> String {
        var claimed: [DNSRecord] = []
        if generator.draw(3) > 0 { claimed.append(try Samples.a("alpha.local", 0x0A00_0001)) }
        if generator.draw(3) == 0 { claimed.append(try Samples.a("alpha.local", 0x0A00_0007)) }
        if generator.draw(3) == 0 { claimed.append(try Samples.aaaa("alpha.local", 0xFE80 << 112 | 1)) }
        if claimed.isEmpty { claimed.append(try Samples.a("alpha.local", 0x0A00_0002)) }
        bench.receive(
            Samples.probe(claimed),
            from: ["10.0.0.1", "10.0.0.1", "10.0.1.1", "10.0.0.9"][generator.draw(4)],
            on: path()
        )
        return "host claimed"
    }

    private mutating func ask(port: UInt16) throws -> String {
        let names = [ResponderBench.typeName, instance(), host(), "_services._dns-sd._udp.local"]
        let types: [DNSRecordType] = [.ptr, .any, .srv, .txt, .a, .aaaa]
        var query = DNSMessage(
            answers: generator.draw(3) == 0 ? [try record(ttl: [4_500, 2_250, 60, 59][generator.draw(4)])] : []
        )
        for _ in 0...generator.draw(2) {
            query.questions.append(
                DNSQuestion(
                    name: try DomainName(escaped: names[generator.draw(4)]),
                    type: types[generator.draw(6)],
                    isUnicastWanted: generator.draw(3) == 0
                )
            )
        }
        query.flags.isTruncated = generator.draw(4) == 0
        bench.receive(query, from: source(), port: port, on: path())
        return "question"
    }

    /// Returns a record of one of our names that another host sends, or a record like ours.
    private mutating func record(ttl: UInt32) throws -> DNSRecord {
        switch generator.draw(8) {
        case 0...1: try Samples.srv(instance(), port: UInt16(3_000 + generator.draw(2)), host: host(), ttl: ttl)
        case 2: try Samples.txt("v=\(generator.draw(3))", of: instance(), ttl: ttl)
        case 3: try Samples.ptr(ResponderBench.typeName, instance(), ttl: ttl)
        case 4: try Samples.aaaa(host(), 0xFE80 << 112 | UInt128(generator.draw(3)), ttl: ttl)
        case 5: try Samples.ptr("_services._dns-sd._udp.local", ResponderBench.typeName, ttl: ttl)
        default: try Samples.a(host(), 0x0A00_0001 + UInt32(generator.draw(9)), ttl: ttl)
        }
    }

    // MARK: Transcript

    private mutating func note(_ cause: String) {
        var lines = bench.sent.map(Self.line).sorted()
        lines += bench.states.map { "\($0)" }
        lines += bench.warnings.map { "\($0.code)" }
        lines.append("counts \(bench.responder.counters)")
        let next = bench.responder.deadline.map { "\(($0 - ResponderBench.start) / .milliseconds(1))" } ?? "-"
        lines.append("next \(next)")
        transcript.lines.append("\(bench.time / .milliseconds(1)) \(cause): " + lines.joined(separator: "; "))
        (bench.sent, bench.states, bench.warnings) = ([], [], [])
    }

    private static func line(_ packet: ResponderBench.Sent) -> String {
        let message = packet.message
        let questions = message.questions.map { "\($0.name.escaped) \($0.type)\($0.isUnicastWanted ? " QU" : "")" }
        let sections = [message.answers, message.authorities, message.additionals].map { records in
            records.map { "\($0.name.escaped) \($0.ttl)\($0.isCacheFlush ? "!" : "") \($0.data)" }.sorted()
        }
        let place = "\(packet.path.interface.name) \(packet.path.family) to \(packet.target)"
        return "\(packet.time / .milliseconds(1)) \(place): \(questions.sorted()) \(sections)"
    }
}
