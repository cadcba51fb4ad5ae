import DNSSD
import TestSupport

@testable import Discovery

/// A querier on a link of its own, with a clock that the test advances.
struct QuerierHarness {
    /// A packet that the querier sent.
    struct Sent {
        let time: Duration
        let message: DNSMessage
        let size: Int

        /// The questions in the packet, as `name TYPE`.
        var questions: [String] { message.questions.map { "\($0.name.escaped) \($0.type)" } }
    }

    static let interface = NetworkInterface(index: 2, name: "eth0")
    static let path = ServicePath(interface: interface, family: .ipv4)

    let start = ContinuousClock.now
    private(set) var now: ContinuousClock.Instant
    private(set) var querier: Querier
    private(set) var sent: [Sent] = []
    private(set) var events: [QuerierEvent] = []
    private var random: SeededGenerator

    init(seed: UInt64 = 1, limits: QuerierLimits = QuerierLimits()) {
        now = start
        random = SeededGenerator(seed: seed)
        querier = Querier(path: Self.path, limits: limits, now: start)
    }

    /// Begins to browse.
    mutating func browse(_ types: String..., id: Int = 1) throws {
        let types = try types.map { try ServiceType($0) }
        try querier.browse(BrowseID(rawValue: id), for: types, in: "local", now: now, using: &random)
        turn()
    }

    mutating func endBrowse(_ id: Int = 1) {
        querier.endBrowse(BrowseID(rawValue: id), now: now)
        turn()
    }

    /// Advances the clock, and lets the querier do everything that becomes due in the meantime.
    mutating func advance(by duration: Duration) {
        let end = now + duration
        while let deadline = querier.deadline, deadline <= end {
            now = max(now, deadline)
            turn()
        }
        now = end
        turn()
    }

    /// Lets the querier receive a message on port 5353.
    mutating func receive(
        _ message: DNSMessage,
        from source: String = "10.0.0.2",
        turning: Bool = true
    ) {
        receive(DNSReceivedMessage(message), from: source, turning: turning)
    }

    /// Lets the querier receive what could be read of a packet.
    mutating func receive(_ received: DNSReceivedMessage, from source: String = "10.0.0.2", turning: Bool = true) {
        let origin = Querier.Origin(IPAddress(source) ?? .v4(IPv4Address(bits: 0)))
        querier.receive(received, from: origin, now: now, using: &random)
        if turning { turn() }
    }

    /// Lets the querier receive an answer from this host that came to a port of its own.
    mutating func receiveLegacy(_ message: DNSMessage) {
        let origin = Querier.Origin(.v4(IPv4Address(bits: 0x0A00_0001)))
        querier.receiveLegacy(message, from: origin, now: now, using: &random)
        turn()
    }

    /// Reports to the querier that packets of the link were lost.
    mutating func lose() {
        querier.lost(now: now)
        turn()
    }

    mutating func reconfirm(_ name: String) throws {
        try querier.reconfirm(Self.instance(name), now: now, using: &random)
        turn()
    }

    mutating func noteGoneElsewhere(_ name: String) throws {
        try querier.noteGoneElsewhere(Self.instance(name), now: now, using: &random)
        turn()
    }

    mutating func protect(_ name: String) throws {
        try querier.protect(Self.instance(name), true)
    }

    mutating func setOwn(_ name: String) throws {
        querier.setOwn([try Responses.name("\(name)._openclaw._tcp.local")])
    }

    mutating func giveUpOne() -> Bool {
        defer { turn() }
        return querier.giveUpOne(using: &random)
    }

    /// Returns the instances that have been withdrawn since the last call.
    mutating func gone() -> [ServiceInstance] { querier.takeGone() }

    mutating func turnover() -> [InstanceTurnover] { querier.takeTurnover() }

    mutating func leftOut() -> Int { querier.takeLeftOut() }

    mutating func turn() {
        let actions = querier.turn(now: now, using: &random)
        for packet in actions.packets {
            guard let message = try? DNSMessage(decoding: packet) else { continue }
            sent.append(Sent(time: now - start, message: message, size: packet.count))
        }
        events += actions.events
    }

    /// Takes the packets that were sent since the last call.
    mutating func takeSent() -> [Sent] {
        defer { sent = [] }
        return sent
    }

    /// Takes the events that were reported since the last call.
    mutating func takeEvents() -> [QuerierEvent] {
        defer { events = [] }
        return events
    }

    /// Returns the last sighting that was reported of an instance; `nil` if the instance vanished or was never
    /// reported.
    func sighting(_ name: String) -> Sighting? {
        var last: Sighting?
        for event in events {
            switch event {
            case .sighted(let sighting, _) where sighting.instance.name == name: last = sighting
            case .vanished(let instance, _, _, _) where instance.name == name: last = nil
            case .sighted, .vanished, .warning: break
            }
        }
        return last
    }

    static func instance(_ name: String) throws -> ServiceInstance {
        try ServiceInstance(name: name, type: ServiceType("_openclaw._tcp"))
    }
}

/// Records and messages as a responder sends them.
enum Responses {
    static func name(_ text: String) throws -> DomainName { try DomainName(escaped: text) }

    static func ptr(_ instance: String, ttl: UInt32 = 4_500, type: String = "_openclaw._tcp") throws -> DNSRecord {
        DNSRecord(
            name: try name("\(type).local"),
            ttl: ttl,
            data: .ptr(try name("\(instance)._openclaw._tcp.local"))
        )
    }

    static func srv(
        _ instance: String,
        host: String = "host",
        port: UInt16 = 3_000,
        ttl: UInt32 = 120,
        isCacheFlush: Bool = true
    ) throws -> DNSRecord {
        DNSRecord(
            name: try name("\(instance)._openclaw._tcp.local"),
            isCacheFlush: isCacheFlush,
            ttl: ttl,
            data: .srv(SRVData(port: port, target: try name("\(host).local")))
        )
    }

    static func txt(_ instance: String, _ text: String = "fp=1", ttl: UInt32 = 4_500) throws -> DNSRecord {
        DNSRecord(
            name: try name("\(instance)._openclaw._tcp.local"),
            isCacheFlush: true,
            ttl: ttl,
            data: .txt([UInt8(text.utf8.count)] + Array(text.utf8))
        )
    }

    static func a(
        _ host: String = "host",
        _ bits: UInt32 = 0x0A00_0002,
        ttl: UInt32 = 120,
        isCacheFlush: Bool = true
    ) throws -> DNSRecord {
        DNSRecord(name: try name("\(host).local"), isCacheFlush: isCacheFlush, ttl: ttl, data: .a(bits))
    }

    static func aaaa(_ host: String = "host", _ bits: UInt128 = 0xFE80 << 112 | 2) throws -> DNSRecord {
        DNSRecord(name: try name("\(host).local"), isCacheFlush: true, ttl: 120, data: .aaaa(bits))
    }

    static func response(_ answers: DNSRecord..., additionals: [DNSRecord] = []) -> DNSMessage {
        DNSMessage(flags: .authoritativeResponse, answers: answers, additionals: additionals)
    }

    /// Returns a response with all records of one service.
    static func whole(_ instance: String, host: String = "host", port: UInt16 = 3_000) throws -> DNSMessage {
        response(
            try ptr(instance),
            additionals: [try srv(instance, host: host, port: port), try txt(instance), try a(host), try aaaa(host)]
        )
    }

    static func query(_ name: String, _ type: DNSRecordType, known: [DNSRecord] = []) throws -> DNSMessage {
        DNSMessage(questions: [DNSQuestion(name: try Self.name(name), type: type)], answers: known)
    }
}
