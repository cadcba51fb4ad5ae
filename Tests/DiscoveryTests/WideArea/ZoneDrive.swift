import DNSSD
import TestSupport

@testable import Discovery

/// A browse of zones, driven by hand, with servers that answer from tables.
struct ZoneDrive {
    /// A server: its records, and how it treats questions.
    struct Server {
        var records: [DNSRecord] = []
        var error: DNSExchangeError?
        var fails: (@Sendable (ZoneQuestions.Order) -> DNSExchangeError?)?
        var code: UInt16 = 0
        var isCut = false
        var change: (@Sendable (inout DNSMessage) -> Void)?
        var spoils: (@Sendable (inout [UInt8]) -> Void)?
    }

    static let zone: DomainName = "zone.example"
    static let servers = [1, 2].map {
        Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0000 + UInt32($0))), port: 53)
    }

    var now = ContinuousClock.now
    var browse: ZoneBrowse
    var table: [Endpoint: Server] = [:]

    /// The questions so far, such as `PTR _openclaw._tcp.zone.example 10.0.0.1:53`.
    private(set) var asked: [String] = []
    private(set) var orders: [ZoneQuestions.Order] = []

    /// The sightings that are reported now, by instance.
    private(set) var rows: [ServiceInstance: Sighting] = [:]
    private(set) var events: [BrowseEvent] = []

    init(
        _ domains: [DomainName] = [zone],
        search: [DomainName] = [],
        servers: Int = 1,
        perSecond: Int = 50,
        most: Int = 100,
        mostBytes: Int = 1 << 20
    ) {
        let endpoints = Array(Self.servers.prefix(servers))
        let questions = ZoneQuestions(servers: endpoints, perSecond: perSecond, mostBytes: mostBytes, now: now)
        browse = ZoneBrowse(
            types: [Samples.type],
            domains: domains,
            searchDomains: search,
            maximumInstances: most,
            questions: questions,
            now: now
        )
        for endpoint in endpoints { table[endpoint] = Server() }
    }

    /// Asks and answers until nothing is due, for a time.
    mutating func run(for duration: Duration = .zero) {
        let end = now + duration
        while true {
            step()
            guard let deadline = browse.deadline, deadline <= end else { break }
            // A bucket that fills up to nearly one is not full enough.
            now = max(now + .microseconds(1), deadline)
        }
        now = max(now, end)
        step()
    }

    /// Answers until nothing waits, without that time passes but for what is not answered.
    private mutating func step() {
        while true {
            take()
            let waiting = orders
            guard !waiting.isEmpty else { return }
            orders = []
            for order in waiting {
                let (result, time) = answer(order)
                now += time
                browse.take(result, of: order.number, now: now)
            }
        }
    }

    /// Takes what is to be asked, without answering it.
    mutating func take() {
        orders += browse.orders(now: now)
        for event in browse.takeEvents() {
            events.append(event)
            switch event {
            case .sighted(let sighting): rows[sighting.instance] = sighting
            case .vanished(let instance, _, _): rows[instance] = nil
            default: break
            }
        }
    }

    mutating func takeAsked() -> [String] {
        defer { asked = [] }
        return asked
    }

    private mutating func answer(_ order: ZoneQuestions.Order) -> (Result<[UInt8], DNSExchangeError>, Duration) {
        guard let query = try? DNSMessage(decoding: order.message), let question = query.questions.first,
            let server = table[order.server]
        else { return (.failure(DNSExchangeError(.unreachable, "is unknown")), .zero) }
        let name = ASCIICase.lowered(question.name.escaped)
        asked.append("\(question.type) \(name)\(order.carrier == .tcp ? " tcp" : "")")
        if let error = server.error ?? server.fails?(order) {
            return (.failure(error), error.code == .noAnswer ? order.timeout : .zero)
        }
        var answer = DNSMessage(
            id: query.id,
            flags: DNSFlags(rawValue: 0x8400 | server.code),
            questions: query.questions
        )
        if server.code == 0 {
            answer.answers = server.records.filter { $0.name == question.name && $0.type == question.type }
            if answer.answers.isEmpty {
                answer.answers = server.records.filter { $0.name == question.name && $0.type == .cname }
            }
            if answer.answers.isEmpty { answer.authorities = server.records.filter { $0.type == .soa } }
        }
        if server.isCut, order.carrier == .udp {
            answer.answers = []
            answer.flags.isTruncated = true
        }
        server.change?(&answer)
        var bytes = answer.encoded().bytes
        server.spoils?(&bytes)
        return (.success(bytes), .zero)
    }

    // MARK: Records

    /// The records of an instance in a zone.
    static func instance(
        _ name: String,
        _ address: UInt32 = 0x0A01_0001,
        in zone: DomainName = zone,
        ttl: UInt32 = 60
    ) -> [DNSRecord] {
        let type = "\(Samples.type).\(zone)"
        let instance = DomainName(stringLiteral: "\(name).\(type)")
        let host = DomainName(stringLiteral: "\(name)-host.\(zone)")
        return [
            DNSRecord(name: DomainName(stringLiteral: type), ttl: ttl, data: .ptr(instance)),
            DNSRecord(name: instance, ttl: ttl, data: .srv(SRVData(port: 3000, target: host))),
            DNSRecord(name: instance, ttl: ttl, data: .txt([7] + Array("bots=12".utf8))),
            DNSRecord(name: host, ttl: ttl, data: .a(address)),
        ]
    }

    static func soa(minimum: UInt32, of zone: DomainName = zone) -> DNSRecord {
        let data = SOAData(
            primary: "ns",
            mailbox: "mail",
            serial: 1,
            refresh: 1,
            retry: 1,
            expire: 1,
            minimum: minimum
        )
        return DNSRecord(name: zone, ttl: 3_600, data: .soa(data))
    }
}
