import DNSSD
import TestSupport

@testable import Discovery

/// A random sequence of events for a ``OneShotQuery``, and a transcript of everything that the query does.
///
/// The events are links that come and go, complete, partial, cut and forged answers, goodbyes, losses of packets, a
/// backend that works, hangs and comes back, and the passing of time. Actions of one turn are recorded in their order.
struct OneShotTranscript {
    private static let start = ContinuousClock.now
    private static let type = "_openclaw._tcp"
    private static let interfaces = [
        NetworkInterface(index: 2, name: "eth0"), NetworkInterface(index: 3, name: "eth1"),
    ]

    private var generator: SeededGenerator
    private var query: OneShotQuery
    private var now = start

    /// The ID of the latest question on each path.
    private var ids: [ServicePath: UInt16] = [:]

    /// The transcript, with a line for each event or turn.
    private(set) var transcript = CourseTranscript()

    /// Plays the sequence of a seed.
    init(seed: UInt64, steps: Int = 120) throws {
        generator = SeededGenerator(seed: seed)
        let types = seed % 3 == 0 ? [Self.type, "_moltbot-gw._tcp"] : [Self.type]
        let configuration =
            seed % 4 == 0
            ? OneShotConfiguration(packetsPerSecond: 2, maximumInstances: 9, maximumAddresses: 2, maximumBytes: 1_500)
            : OneShotConfiguration()
        query = OneShotQuery(
            request: BrowseRequest(types: try types.map { try ServiceType($0) }),
            configuration: configuration,
            generator: SeededGenerator(seed: seed &+ 1),
            now: now
        )
        note(query.setLinks([link(0), link(1)], now: now), "begin")
        for _ in 0..<steps { try step() }
    }

    // MARK: Events

    private func link(_ number: Int) -> Link {
        let addresses = number == 0 ? ["10.99.0.1", "fe80::1"] : ["10.100.0.1"]
        let prefixes = addresses.compactMap { IPAddress($0) }
            .map { Link.Prefix(address: $0, length: $0.family == .ipv4 ? 16 : 64) }
        return Link(interface: Self.interfaces[number], prefixes: prefixes)
    }

    private mutating func path() -> ServicePath {
        switch generator.draw(6) {
        case 0: ServicePath(interface: Self.interfaces[0], family: .ipv6)
        case 1: ServicePath(interface: Self.interfaces[1], family: .ipv4)
        default: ServicePath(interface: Self.interfaces[0], family: .ipv4)
        }
    }

    private mutating func instance() throws -> ServiceInstance {
        try ServiceInstance(name: "Desk \(generator.draw(12))", type: ServiceType(Self.type))
    }

    private mutating func step() throws {
        switch generator.draw(40) {
        case 0...6: try pass(.milliseconds(generator.draw(40)))
        case 7...10: try pass(.milliseconds(generator.draw(1_500)))
        case 11...12: try pass(.milliseconds(generator.draw(12_000)))
        case 13: try pass(.seconds(generator.draw(60)))
        case 14: try sleep(.milliseconds(generator.draw(20_000)))
        case 15...24: try answer()
        case 25...26: try say(isGoodbye: false)
        case 27...28: try say(isGoodbye: true)
        case 29...31:
            let (isRunning, isBusy) = (generator.draw(3) > 0, generator.draw(4) == 0)
            query.backendChanged(isRunning: isRunning, isBusy: isBusy, now: now)
            note([], "backend \(isRunning) \(isBusy)")
        case 32:
            query.backendLost(now: now)
            note([], "backend lost")
        case 33:
            query.confirm(try instance(), on: path())
            note([], "confirm")
        case 34:
            query.forget(try instance(), on: path(), now: now)
            note([], "forget")
        case 35:
            query.reconfirm(try instance(), now: now)
            note([], "reconfirm")
        case 36:
            query.protect(try instance(), generator.draw(2) == 0)
            note([], "keep")
        case 37:
            query.lost(1 + generator.draw(5), on: path(), now: now)
            note([], "lost")
        case 38:
            query.couldNotSend(on: path())
            note([], "could not send")
        default:
            let links = [[link(0), link(1)], [link(0)], [link(1)], []][generator.draw(4)]
            note(query.setLinks(links, now: now), "links \(links.count)")
        }
    }

    private mutating func pass(_ time: Duration) throws {
        let end = now + time
        var turns = 0
        while let deadline = query.deadline, deadline <= end, turns < 1_000 {
            now = max(now, deadline)
            note(query.tick(now: now), "tick")
            turns += 1
        }
        now = end
    }

    /// Lets time pass without calling the query, as while the computer sleeps.
    private mutating func sleep(_ time: Duration) throws {
        now += time
        note(query.tick(now: now), "late tick")
    }

    private mutating func records(_ type: DomainName) throws -> [DNSRecord] {
        let number = generator.draw(12)
        let instance = try type.prepending("Desk \(number)".utf8)
        let host = try DomainName(escaped: "h\(number).local")
        let location = SRVData(port: UInt16(1_000 + generator.draw(2)), target: host)
        let all = [
            DNSRecord(name: type, ttl: 10, data: .ptr(instance)),
            DNSRecord(name: instance, ttl: 10, data: .srv(location)),
            DNSRecord(name: instance, ttl: 10, data: .txt([UInt8](repeating: 1, count: 1 + generator.draw(3)))),
            DNSRecord(name: host, ttl: 10, data: .a(0x0A63_0002 + UInt32(generator.draw(4)))),
            DNSRecord(name: host, ttl: 10, data: .aaaa(0xFE80 << 112 | UInt128(generator.draw(4)))),
        ]
        guard generator.draw(2) == 0 else { return all }
        let mask = generator.draw(32)
        return all.indices.filter { mask >> $0 & 1 == 1 }.map { all[$0] }
    }

    private mutating func message(id: UInt16, on path: ServicePath) throws -> OneShotPacket {
        let type = try DomainName(escaped: "\(Self.type).local")
        var records: [DNSRecord] = []
        for _ in 0...generator.draw(3) { records += try self.records(type) }
        var message = DNSMessage(id: id, flags: .authoritativeResponse, answers: records)
        if generator.draw(2) == 0 { message.questions = [DNSQuestion(name: type, type: .ptr)] }
        if generator.draw(6) == 0 { message.flags.isTruncated = true }
        return packet(message, on: path)
    }

    private mutating func packet(_ message: DNSMessage, on path: ServicePath) -> OneShotPacket {
        let number = UInt32(generator.draw(4))
        let source: IPAddress =
            switch (path.family, path.interface.index) {
            case (.ipv6, _): .v6(IPv6Address(bits: 0xFE80 << 112 | UInt128(number + 2), scope: path.interface))
            case (.ipv4, 2): .v4(IPv4Address(bits: 0x0A63_0002 + number))
            default: .v4(IPv4Address(bits: 0x0A64_0002 + number))
            }
        return OneShotPacket(
            bytes: message.encoded().bytes,
            source: source,
            port: generator.draw(30) == 0 ? 5_354 : 5_353,
            interface: path.interface.index
        )
    }

    private mutating func answer() throws {
        let path = path()
        guard let id = ids[path] else { return }
        query.receive(try message(id: generator.draw(20) == 0 ? id &- 40 : id, on: path), on: path, now: now)
        note([], "answer")
    }

    private mutating func say(isGoodbye: Bool) throws {
        let path = path()
        guard isGoodbye else {
            query.hear(try message(id: 0, on: path), on: path, now: now)
            note([], "said")
            return
        }
        let type = try DomainName(escaped: "\(Self.type).local")
        let name = try type.prepending("Desk \(generator.draw(12))".utf8)
        let goodbye = DNSRecord(name: type, ttl: 0, data: .ptr(name))
        query.hear(
            packet(DNSMessage(flags: .authoritativeResponse, answers: [goodbye]), on: path),
            on: path,
            now: now
        )
        note([], "goodbye")
    }

    // MARK: Transcript

    /// Adds a line with the actions, the reported events and the next deadline.
    private mutating func note(_ actions: [OneShotAction], _ cause: String) {
        var done: [String] = []
        for action in actions {
            switch action {
            case .send(let bytes, on: let path):
                guard let message = try? DNSMessage(decoding: bytes) else { continue }
                ids[path] = message.id
                done.append("packet \(path) \(message.id)")
                done += message.questions.map { "ask \(path) \($0.name.escaped) \($0.type)" }
            case .multicast(let bytes, on: let path): done.append("multicast \(path) \(bytes.count)")
            case .listen(on: let path): done.append("hear \(path)")
            case .stopListening: done.append("stop hearing")
            }
        }
        for event in query.takeEvents() {
            switch event {
            case .sighted(let sighting):
                let addresses = sighting.addresses.map(\.description).joined(separator: ",")
                let sources = sighting.heardFrom.map(\.description).joined(separator: ",")
                done.append(
                    "+\(sighting.instance.name) \(sighting.path) \(sighting.port ?? 0) \(addresses) \(sources)"
                )
            case .vanished(let instance, let path, let reason): done.append("-\(instance.name) \(path) \(reason)")
            case .warning(let warning): done.append("warning \(warning.message)")
            case .losses(let losses): done.append("losses \(losses.entries) \(losses.packets)")
            case .status, .activity, .domain: done.append("?")
            }
        }
        let next = query.deadline.map { "\(($0 - Self.start) / .milliseconds(1))" } ?? "never"
        let time = (now - Self.start) / .milliseconds(1)
        transcript.lines.append("\(time) \(cause): \(done.joined(separator: "; ")) -> \(next)")
    }
}
