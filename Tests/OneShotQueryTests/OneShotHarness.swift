internal import DNSSD
internal import TestSupport
internal import Testing

@testable import Discovery

/// A ``OneShotQuery`` with a clock that the test advances, on a network that the test simulates.
struct OneShotHarness {
    static let eth0 = NetworkInterface(index: 2, name: "eth0")
    static let eth1 = NetworkInterface(index: 3, name: "eth1")
    static let path = ServicePath(interface: eth0, family: .ipv4)
    static let type = "_openclaw._tcp"

    var query: OneShotQuery
    var now = ContinuousClock.now

    /// The packets that were sent, with their paths.
    private(set) var sent: [(message: DNSMessage, path: ServicePath)] = []

    /// The questions that were sent by multicast.
    private(set) var multicast: [(message: DNSMessage, path: ServicePath)] = []

    /// Indicates whether the query listens to the multicast group.
    private(set) var isListening = false

    init(
        types: [String] = [type],
        configuration: OneShotConfiguration = OneShotConfiguration(),
        interfaces: Set<String> = [],
        links: [Link] = [link()]
    ) throws {
        let request = BrowseRequest(types: try types.map { try ServiceType($0) }, interfaces: interfaces)
        query = OneShotQuery(
            request: request,
            configuration: configuration,
            generator: SeededGenerator(seed: 7),
            now: now
        )
        try perform(query.setLinks(links, now: now))
    }

    static func link(_ interface: NetworkInterface = eth0, _ addresses: [String] = ["10.99.0.1"]) -> Link {
        let prefixes = addresses.compactMap { IPAddress($0) }
            .map { Link.Prefix(address: $0, length: $0.family == .ipv4 ? 16 : 64) }
        return Link(interface: interface, prefixes: prefixes)
    }

    mutating func perform(_ actions: [OneShotAction]) throws {
        for action in actions {
            switch action {
            case .send(let bytes, on: let path): sent.append((try DNSMessage(decoding: bytes), path))
            case .multicast(let bytes, on: let path):
                multicast.append((try DNSMessage(decoding: bytes), path))
                isListening = true
            case .listen: isListening = true
            case .stopListening: isListening = false
            }
        }
    }

    /// The losses that were reported so far.
    private(set) var losses = BackendLosses()

    /// Takes the questions that were sent since the last call, as `name type`.
    mutating func questions() -> [String] {
        defer { sent = [] }
        return sent.flatMap { $0.message.questions.map { "\($0.name.escaped) \($0.type)" } }
    }

    /// Takes the packets that were sent since the last call.
    mutating func takeSent() -> [DNSMessage] {
        defer { sent = [] }
        return sent.map(\.message)
    }

    /// Takes the packets that were sent since the last call, and returns their number.
    mutating func packets() -> Int {
        defer { sent = [] }
        return sent.count
    }

    /// Takes the sightings that were reported since the last call.
    mutating func sightings() -> [Sighting] {
        query.takeEvents().compactMap { if case .sighted(let sighting) = $0 { sighting } else { nil } }
    }

    /// Takes the events that were reported since the last call, as text: `+name path port addresses`, `-name path
    /// reason`, `!code`. Losses are added to ``losses``.
    mutating func takeEvents() -> [String] {
        query.takeEvents().compactMap { event in
            switch event {
            case .sighted(let sighting):
                let addresses = sighting.addresses.map(\.description).joined(separator: ",")
                return "+\(sighting.instance.name) \(sighting.path) \(sighting.port ?? 0) \(addresses)"
            case .vanished(let instance, let path, let reason): return "-\(instance.name) \(path) \(reason)"
            case .warning(let warning): return warning.code == .notConfirmed ? "!notConfirmed" : "!"
            case .losses(let more):
                losses = losses + more
                return nil
            case .status, .activity, .domain: return "?"
            }
        }
    }

    /// Advances the clock, and lets the query do everything that becomes due in the meantime.
    mutating func pass(_ time: Duration) throws {
        let end = now + time
        while let deadline = query.deadline, deadline <= end {
            now = max(now, deadline)
            try perform(query.tick(now: now))
        }
        now = end
    }

    /// Returns the ID of the latest question on a path.
    func id(_ path: ServicePath = path) throws -> UInt16 {
        try #require(sent.last { $0.path == path }).message.id
    }

    /// Lets an answer with the given records arrive on the query's port.
    mutating func answer(
        id: UInt16,
        _ records: [DNSRecord],
        from source: String = "10.99.0.2",
        port: UInt16 = 5_353,
        interface: UInt32 = 2,
        flags: DNSFlags = .authoritativeResponse,
        on path: ServicePath = path
    ) throws {
        let message = DNSMessage(id: id, flags: flags, answers: records)
        try receive(message, from: source, port: port, interface: interface, on: path)
    }

    /// Lets a message arrive on the query's port.
    mutating func receive(
        _ message: DNSMessage,
        from source: String = "10.99.0.2",
        port: UInt16 = 5_353,
        interface: UInt32 = 2,
        on path: ServicePath = path
    ) throws {
        let packet = OneShotPacket(
            bytes: message.encoded().bytes,
            source: try #require(IPAddress(source)),
            port: port,
            interface: interface
        )
        query.receive(packet, on: path, now: now)
    }

    /// Lets a multicast response arrive.
    mutating func say(_ records: [DNSRecord], from source: String = "10.99.0.2", port: UInt16 = 5_353) throws {
        let message = DNSMessage(flags: .authoritativeResponse, answers: records)
        let packet = OneShotPacket(
            bytes: message.encoded().bytes,
            source: try #require(IPAddress(source)),
            port: port,
            interface: 2
        )
        query.hear(packet, on: Self.path, now: now)
    }

    /// Lets a goodbye for an instance arrive.
    mutating func goodbye(_ name: String, from source: String = "10.99.0.2") throws {
        var record = try Self.pointer(name)
        record.ttl = 0
        try say([record], from: source)
    }

    // MARK: Records

    static func name(_ text: String) throws -> DomainName { try DomainName(escaped: text) }

    static func pointer(_ name: String) throws -> DNSRecord {
        let type = try Self.name("\(type).local")
        return DNSRecord(name: type, ttl: 10, data: .ptr(try type.prepending(name.utf8)))
    }

    static func location(_ name: String, host: String = "h2.local", port: UInt16 = 18_789) throws -> DNSRecord {
        let instance = try Self.name("\(type).local").prepending(name.utf8)
        return DNSRecord(name: instance, ttl: 10, data: .srv(SRVData(port: port, target: try Self.name(host))))
    }

    static func text(_ name: String, _ text: [UInt8] = [0]) throws -> DNSRecord {
        DNSRecord(name: try Self.name("\(type).local").prepending(name.utf8), ttl: 10, data: .txt(text))
    }

    static func address(_ host: String = "h2.local", _ bits: UInt32 = 0x0A63_0002) throws -> DNSRecord {
        DNSRecord(name: try name(host), ttl: 10, data: .a(bits))
    }

    /// Returns all records of an instance.
    static func all(_ name: String) throws -> [DNSRecord] {
        [try pointer(name), try location(name), try text(name), try address()]
    }
}
