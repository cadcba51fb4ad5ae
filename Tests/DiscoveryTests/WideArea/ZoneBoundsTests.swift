import DNSSD
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Protects this host, and the servers that it asks, from zones in which somebody else writes.
@Suite struct ZoneBoundsTests {
    private static let server = ZoneDrive.servers[0]

    private func warnings(_ drive: ZoneDrive) -> Int {
        drive.events.count { if case .warning = $0 { true } else { false } }
    }

    /// Names of the link are nobody's in DNS: a server that is asked for them learns what this network has, and may say anything.
    @Test func hostsOfTheLinkAreAskedOfNoServer() {
        var drive = ZoneDrive()
        var records = ZoneDrive.instance("a")
        records[1].data = .srv(SRVData(port: 3000, target: "studio.local"))
        records.append(DNSRecord(name: "studio.local", ttl: 60, data: .a(0x0A01_0001)))
        drive.table[Self.server]?.records = records
        drive.run()
        #expect(!drive.takeAsked().contains { $0.contains(".local") })
        let sighting = drive.rows.values.first
        #expect(sighting?.addresses == [] && sighting?.resolution.isSettled == true)
    }

    /// The addresses that a service may have would otherwise be a matter of which list was answered first.
    @Test func whoHasNamedADomainDoesNotDependOnTheListThatLeadsThere() {
        let site: DomainName = "site.zone.example"
        var drive = ZoneDrive([site], search: [ZoneDrive.zone])
        var records = ZoneDrive.instance("a", in: site)
        records[0] = DNSRecord(name: "_openclaw._tcp.zone.example", ttl: 60, data: records[0].data)
        records.append(DNSRecord(name: "b._dns-sd._udp.zone.example", ttl: 60, data: .ptr(ZoneDrive.zone)))
        drive.table[Self.server]?.records = records + ZoneDrive.instance("b")
        drive.run()
        let sources = Dictionary(uniqueKeysWithValues: drive.rows.map { ($0.key.name, $0.value.source) })
        #expect(sources == ["a": .zone, "b": .networkZone])
    }

    /// A thousand lists of 64 KiB each would be more than this host has.
    @Test func answersTakeNoMoreRoomThanThereIs() {
        var drive = ZoneDrive(most: 1_000, mostBytes: 4_096)
        drive.table[Self.server]?.records = (0..<400).flatMap { ZoneDrive.instance("i\($0)") }
        drive.run()
        #expect((1..<100).contains(drive.rows.count))
        #expect(drive.rows.values.contains { $0.resolution == .resolved })
        #expect(warnings(drive) == 1)
    }

    /// What was left out for lack of room is there when there is some again.
    @Test func whatWasLeftOutComesWhenOthersAreGone() {
        var drive = ZoneDrive(most: 3)
        drive.table[Self.server]?.records = (0..<4).flatMap { ZoneDrive.instance("i\($0)", ttl: 10) }
        drive.run()
        #expect(drive.rows.count == 3 && warnings(drive) == 1)
        let gone = drive.rows.keys.map(\.name).sorted().prefix(2)
        drive.table[Self.server]?.records = (0..<4).map { "i\($0)" }.filter { !gone.contains($0) }
            .flatMap { ZoneDrive.instance($0, ttl: 10) }
        drive.run(for: .seconds(11))
        #expect(drive.rows.count == 2)
    }

    /// The domains that are asked for a type.
    private func domains(_ drive: inout ZoneDrive) -> Set<String> {
        Set(drive.takeAsked().filter { $0.hasPrefix("PTR _openclaw._tcp.") })
    }

    /// Each domain costs questions, for as long as a browse runs, and whoever answers for the network may name as many as an
    /// answer has room for. Those that are followed stay, whatever else is named later.
    @Test func ofTheDomainsThatTheNetworkNamesSomeAreFollowed() {
        func pointers(_ names: some Sequence<String>) -> [DNSRecord] {
            names.map {
                DNSRecord(name: "b._dns-sd._udp.zone.example", ttl: 60, data: .ptr(DomainName(stringLiteral: $0)))
            }
        }
        var drive = ZoneDrive([], search: [ZoneDrive.zone])
        let some = (0..<100).map { "site\($0).example" }
        drive.table[Self.server]?.records = pointers(some)
        drive.run()
        let followed = domains(&drive)
        #expect(followed.count == 64 && warnings(drive) == 1)
        drive.table[Self.server]?.records = pointers((0..<100).map { "a\($0).example" } + some)
        drive.run(for: .seconds(61))
        #expect(domains(&drive).isSubset(of: followed) && warnings(drive) == 1)
    }

    /// Those within a domain that the user has named are the user's own.
    @Test func sitesOfANamedDomainAreNotThoseOfTheNetwork() {
        var drive = ZoneDrive()
        drive.table[Self.server]?.records = (0..<100).map { number in
            let site = DomainName(stringLiteral: "site\(number).zone.example")
            return DNSRecord(name: "lb._dns-sd._udp.zone.example", ttl: 60, data: .ptr(site))
        }
        drive.run()
        #expect(domains(&drive).count == 101 && warnings(drive) == 0)
    }

    /// A question that leads along aliases, or from a server that refuses to the next one, is several.
    @Test(arguments: [true, false]) func furtherStepsOfAQuestionCountForTheRate(leadsAlongAliases: Bool) {
        var drive = ZoneDrive(servers: leadsAlongAliases ? 1 : 2, perSecond: 2)
        var records = (0..<20).flatMap { ZoneDrive.instance("i\($0)") }
        if leadsAlongAliases {
            for index in records.indices where records[index].type == .a {
                let (name, data) = (records[index].name, records[index].data)
                let names = [name] + (0..<4).map { DomainName(stringLiteral: "c\($0).\(name)") }
                for (name, next) in zip(names, names.dropFirst()) {
                    records.append(DNSRecord(name: name, ttl: 60, data: .cname(next)))
                }
                records[index] = DNSRecord(name: names[4], ttl: 60, data: data)
            }
        }
        for server in ZoneDrive.servers { drive.table[server]?.records = records }
        drive.run()
        #expect(drive.rows.count == 20)
        if !leadsAlongAliases { drive.table[Self.server]?.code = 5 }
        drive.run(for: .seconds(60))
        _ = drive.takeAsked()
        drive.run(for: .seconds(30))
        #expect((54...66).contains(drive.takeAsked().count))
    }

    /// Servers that refuse are not asked faster than others, however much there is to ask.
    @Test func whatNoServerCanAnswerIsAskedForAtTheRate() {
        var drive = ZoneDrive((0..<40).map { DomainName(stringLiteral: "z\($0).example") }, perSecond: 2)
        drive.table[Self.server]?.code = 5
        drive.run()
        #expect(drive.takeAsked().count == 120)
        drive.run(for: .seconds(60))
        #expect(drive.takeAsked().count <= 124)
    }

    /// Some servers end a connection after one answer; what waited on it was not refused.
    @Test func aConnectionThatIsCutIsTriedAgain() {
        var drive = ZoneDrive()
        // Of three questions, each twice.
        let cuts = Cuts(6)
        drive.table[Self.server]?.records = ZoneDrive.instance("a")
        drive.table[Self.server]?.isCut = true
        drive.table[Self.server]?.fails = { order in
            let isCut = order.carrier == .tcp && cuts.next()
            return isCut ? DNSExchangeError(.connectionLost, "has ended the connection") : nil
        }
        drive.run()
        #expect(drive.rows.values.first?.resolution == .resolved)
        #expect(!drive.events.contains { if case .domain(_, .unavailable) = $0 { true } else { false } })
    }

    /// A list of names that cannot be read, such as pointers to themselves, does not say that there are none.
    @Test func anUnreadableListIsNotAnEmptyOne() {
        var drive = ZoneDrive()
        drive.table[Self.server]?.spoils = { bytes in
            var end = 12
            while bytes[end] != 0 { end += Int(bytes[end]) + 1 }
            end += 5
            let record: [UInt8] = [0xC0, 12, 0, 12, 0, 1, 0, 0, 0, 60, 0, 2, 0xC0, UInt8(end + 12)]
            bytes = Array(bytes[..<end]) + record
            bytes.replaceSubrange(6..<12, with: [0, 1, 0, 0, 0, 0])
        }
        drive.run(for: .seconds(1))
        let isTold = drive.events.contains {
            if case .domain(_, .unavailable(let error)) = $0 { "\(error)".contains("cannot be read") } else { false }
        }
        #expect(isTold && drive.rows.isEmpty)
    }

    /// Whatever a server sends, a browse ends, and stays within its bounds.
    @Test func mutatedAnswersDoNoHarm() {
        var random = SeededGenerator(seed: 45)
        for _ in 0..<TestCases.count(100) {
            var drive = ZoneDrive(most: 8)
            drive.table[Self.server]?.records = (0..<4).flatMap { ZoneDrive.instance("i\($0)", ttl: 5) }
            let seed = random.next()
            let own = Mutex(SeededGenerator(seed: seed))
            drive.table[Self.server]?.spoils = { bytes in
                own.withLock { own in
                    for _ in 0..<own.draw(6) where bytes.count > 12 {
                        bytes[2 + own.draw(bytes.count - 2)] = UInt8(truncatingIfNeeded: own.next())
                    }
                }
            }
            drive.run(for: .seconds(20))
            #expect(drive.rows.count <= 8, "seed \(seed)")
            // Two or three hundred are those of TTLs of a second.
            #expect(drive.takeAsked().count <= 50 * 21 + 200, "seed \(seed)")
            for sighting in drive.rows.values { #expect(sighting.instance.domain != "local", "seed \(seed)") }
        }
    }
}

/// A number of connections that are cut.
private final class Cuts: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    /// Indicates whether the next one is cut, too.
    func next() -> Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}
