import DNSSD
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Protects what is found in zones, how often they are asked, and what becomes of it when servers do not answer.
@Suite struct ZoneBrowseTests {
    private static let server = ZoneDrive.servers[0]

    private func names(_ drive: ZoneDrive) -> [String] { drive.rows.keys.map(\.name).sorted() }

    // MARK: Finding

    @Test func anInstanceIsFoundWithHostPortTextAndAddress() throws {
        var drive = ZoneDrive()
        drive.table[Self.server]?.records = ZoneDrive.instance("a")
        drive.run()
        let sighting = try #require(drive.rows.values.first)
        #expect(drive.rows.count == 1)
        #expect(sighting.resolution == .resolved)
        #expect(sighting.instance.domain == "zone.example")
        #expect(sighting.path == .zone && sighting.source == .zone)
        #expect(sighting.host == "a-host.zone.example" && sighting.port == 3000)
        #expect(sighting.addresses == [.v4(IPv4Address(bits: 0x0A01_0001))])
        #expect(sighting.txt?.string(forKey: "bots") == "12")
        #expect(drive.events.last == .activity(.idle))
    }

    /// A scan waits while something is asked for the first time, and no longer.
    @Test func aBrowseIsBusyUntilEverythingIsAnswered() {
        var drive = ZoneDrive()
        drive.take()
        #expect(drive.events == [.activity(.busy)])
        drive.table[Self.server]?.error = DNSExchangeError(.notListening, "has no server")
        drive.run()
        #expect(drive.events.last == .activity(.idle))
    }

    /// Knot gives names in small letters.
    @Test func namesAreComparedWithoutCase() {
        var drive = ZoneDrive()
        var records = ZoneDrive.instance("Kitchen")
        if case .ptr(let name) = records[0].data {
            records[0].data = .ptr(DomainName(stringLiteral: ASCIICase.lowered(name.escaped)))
        }
        drive.table[Self.server]?.records = records
        drive.run()
        #expect(names(drive) == ["kitchen"] && drive.rows.values.first?.resolution == .resolved)
    }

    /// Knot compresses names without regard to case: those in its answer then end as the name of the question does, whose letters
    /// have a random case. Nobody wants to read “KiTcHEN.ExAmpLE”.
    @Test func theRandomCaseOfQuestionsIsNotShown() throws {
        var drive = ZoneDrive()
        drive.table[Self.server]?.records = ZoneDrive.instance("a")
        drive.table[Self.server]?.change = { answer in
            guard let asked = answer.questions.first?.name else { return }
            for (index, record) in answer.answers.enumerated() {
                guard case .ptr(let name) = record.data, let label = Array(name.labels).first,
                    let target = try? asked.prepending(label)
                else { continue }
                answer.answers[index].data = .ptr(target)
            }
        }
        drive.run()
        let sighting = try #require(drive.rows.values.first)
        #expect(sighting.instance.domain == "zone.example" && sighting.instance.type == Samples.type)
        #expect(sighting.host?.escaped == "a-host.zone.example")
    }

    @Test func recordsThatComeAlongAreNotAskedFor() {
        var drive = ZoneDrive()
        let records = ZoneDrive.instance("a")
        drive.table[Self.server]?.records = records
        drive.table[Self.server]?.change = { answer in
            if case .ptr = answer.answers.first?.data { answer.additionals = Array(records[1...]) }
        }
        drive.run()
        #expect(drive.rows.values.first?.resolution == .resolved)
        #expect(drive.takeAsked().filter { !$0.hasPrefix("PTR") } == ["AAAA a-host.zone.example"])
    }

    /// A server of one domain may say anything of another.
    @Test func recordsOfOtherDomainsThatComeAlongAreIgnored() {
        var drive = ZoneDrive()
        var records = ZoneDrive.instance("a")
        let host: DomainName = "host.other.example"
        records[1].data = .srv(SRVData(port: 3000, target: host))
        drive.table[Self.server]?.records = records
        drive.table[Self.server]?.change = { answer in
            guard case .srv = answer.answers.first?.data else { return }
            answer.additionals = [DNSRecord(name: host, ttl: 60, data: .a(0x0808_0808))]
        }
        drive.run()
        #expect(drive.takeAsked().contains("A host.other.example"))
        #expect(drive.rows.values.first?.addresses == [])
    }

    @Test func aliasesAreFollowedSoFar() {
        func chain(_ count: Int) -> Resolution? {
            var drive = ZoneDrive()
            var records = ZoneDrive.instance("a")
            let host = records.removeLast()
            for step in 0..<count {
                let name = step == 0 ? host.name : DomainName(stringLiteral: "c\(step).zone.example")
                let next = DomainName(stringLiteral: "c\(step + 1).zone.example")
                records.append(DNSRecord(name: name, ttl: 60, data: .cname(next)))
            }
            records.append(
                DNSRecord(name: DomainName(stringLiteral: "c\(count).zone.example"), ttl: 60, data: host.data)
            )
            drive.table[Self.server]?.records = records
            drive.run()
            return drive.rows.values.first?.resolution
        }
        #expect(chain(1) == .resolved)
        #expect(chain(8) == .resolved)
        #expect(chain(9) != .resolved)
        var drive = ZoneDrive()
        var records = ZoneDrive.instance("a")
        records[3].data = .cname(records[3].name)
        drive.table[Self.server]?.records = records
        drive.run()
        #expect(drive.rows.values.first?.resolution.isSettled == true)
    }

    /// A zone says nothing of the link: an instance of `local` would stand beside those of multicast DNS.
    @Test func aZoneCannotForgeServicesOfTheLink() {
        var drive = ZoneDrive()
        var records = ZoneDrive.instance("a")
        records[0].data = .ptr("a._openclaw._tcp.local")
        records.append(DNSRecord(name: "b._dns-sd._udp.zone.example", ttl: 60, data: .ptr("local")))
        drive.table[Self.server]?.records = records
        drive.run()
        #expect(drive.rows.isEmpty)
        #expect(!drive.takeAsked().contains { $0.hasSuffix(".local") })
    }

    @Test func noMoreInstancesAreFollowedThanAllowed() {
        var drive = ZoneDrive(most: 3)
        drive.table[Self.server]?.records = (0..<10).flatMap { ZoneDrive.instance("i\($0)") }
        drive.run()
        #expect(drive.rows.count == 3)
        let warnings = drive.events.filter { if case .warning = $0 { true } else { false } }
        #expect(warnings.count == 1)
    }

    // MARK: Domains

    /// One browse of a parent finds the gateways of all its sites. What it leads to elsewhere is not what the user named.
    @Test func sitesOfANamedDomainAreNamedToo() {
        var drive = ZoneDrive()
        let pointer: DomainName = "lb._dns-sd._udp.zone.example"
        drive.table[Self.server]?.records =
            ["site.zone.example", "other.example"].flatMap { (name: String) in
                let domain = DomainName(stringLiteral: name)
                return [DNSRecord(name: pointer, ttl: 60, data: .ptr(domain))] + ZoneDrive.instance("a", in: domain)
            }
        drive.run()
        let sources = Dictionary(uniqueKeysWithValues: drive.rows.map { ($0.key.domain, $0.value.source) })
        #expect(sources == ["site.zone.example": .zone, "other.example": .networkZone])
        drive.table[Self.server]?.records.removeAll { $0.name == pointer }
        drive.run(for: .seconds(61))
        #expect(drive.rows.isEmpty)
    }

    @Test func domainsThatTheNetworkNamesHaveItsStanding() {
        var drive = ZoneDrive([], search: [ZoneDrive.zone])
        let pointer = DNSRecord(name: "b._dns-sd._udp.zone.example", ttl: 60, data: .ptr(ZoneDrive.zone))
        drive.table[Self.server]?.records = ZoneDrive.instance("a") + [pointer]
        drive.run()
        #expect(drive.rows.values.map(\.source) == [.networkZone])
        let asked = drive.takeAsked()
        for name in ["b", "lb", "db"] { #expect(asked.contains("PTR \(name)._dns-sd._udp.zone.example")) }
    }

    // MARK: Time

    @Test func aChangeIsSeenWhenItsTTLIsOver() {
        var drive = ZoneDrive()
        drive.table[Self.server]?.records = ZoneDrive.instance("a", ttl: 30)
        drive.run()
        _ = drive.takeAsked()
        drive.run(for: .seconds(29))
        #expect(drive.takeAsked().isEmpty)
        drive.table[Self.server]?.records = ZoneDrive.instance("b", ttl: 30)
        drive.run(for: .seconds(1))
        #expect(names(drive) == ["b"])
    }

    @Test func whatIsNotThereIsAskedForAgainByTheMinimumOfTheZone() {
        var drive = ZoneDrive()
        drive.table[Self.server]?.records = [ZoneDrive.soa(minimum: 20)]
        drive.run()
        _ = drive.takeAsked()
        drive.run(for: .seconds(19))
        #expect(drive.takeAsked().isEmpty)
        drive.run(for: .seconds(1))
        #expect(drive.takeAsked().count == 3)
    }

    /// What many instances cost per TTL: one question for each list, two for each instance, and the other family of each host.
    @Test func whatIsKnownIsKeptUpToDateAtNoMoreThanARate() {
        var drive = ZoneDrive(perSecond: 2)
        drive.table[Self.server]?.records = (0..<20).flatMap { ZoneDrive.instance("i\($0)") }
        drive.run()
        #expect(drive.rows.count == 20)
        _ = drive.takeAsked()
        drive.run(for: .seconds(60))
        #expect(drive.takeAsked().count <= 4)
        drive.run(for: .seconds(10))
        #expect((18...22).contains(drive.takeAsked().count))
        let warnings = drive.events.filter { if case .warning = $0 { true } else { false } }
        #expect(warnings.count == 1)
    }

    @Test func nothingIsAskedTwiceAtOnce() {
        var drive = ZoneDrive()
        drive.table[Self.server]?.records = ZoneDrive.instance("a") + ZoneDrive.instance("a")
        drive.run()
        let asked = drive.takeAsked()
        #expect(Set(asked).count == asked.count)
    }

    // MARK: Servers

    @Test func theNextServerIsAskedInPlaceOfOneThatIsDead() {
        var drive = ZoneDrive(servers: 2)
        drive.table[Self.server]?.error = DNSExchangeError(.notListening, "has no server")
        drive.table[ZoneDrive.servers[1]]?.records = ZoneDrive.instance("a", ttl: 5)
        drive.run()
        #expect(names(drive) == ["a"])
    }

    @Test(arguments: [2, 5, 9] as [UInt16]) func theNextServerIsAskedWhereOneCannotAnswer(code: UInt16) {
        var drive = ZoneDrive(servers: 2)
        drive.table[Self.server]?.code = code
        drive.table[ZoneDrive.servers[1]]?.records = ZoneDrive.instance("a")
        drive.run()
        #expect(names(drive) == ["a"] && drive.rows.values.first?.resolution == .resolved)
    }

    /// A lame server has neither the zone nor anybody to ask; its empty answer is no sign that there is nothing.
    @Test func aLameServerSaysNothing() {
        var drive = ZoneDrive(servers: 2)
        drive.table[Self.server]?.change = { $0.flags = DNSFlags(rawValue: 0x8000) }
        drive.table[ZoneDrive.servers[1]]?.records = ZoneDrive.instance("a")
        drive.run()
        #expect(names(drive) == ["a"])
    }

    /// While no server answers, what was known stays, with a reason; and a server that is back is noticed.
    @Test func whatWasKnownOutlivesTheServer() throws {
        var drive = ZoneDrive()
        drive.table[Self.server]?.records = ZoneDrive.instance("a", ttl: 5)
        drive.run()
        drive.table[Self.server]?.error = DNSExchangeError(.noAnswer, "does not answer")
        drive.run(for: .seconds(600))
        #expect(names(drive) == ["a"])
        let statuses = drive.events.compactMap { event -> BackendStatus? in
            if case .domain(_, let status) = event { status } else { nil }
        }
        guard case .unavailable(let error) = try #require(statuses.last) else {
            Issue.record("no trouble was reported")
            return
        }
        #expect(error.message == "zone.example cannot be browsed: 10.0.0.1:53 does not answer")
        // A dead server is asked rarely: at first once a second, in the end once a minute.
        #expect(drive.takeAsked().count < 60)
        drive.table[Self.server]?.error = nil
        drive.table[Self.server]?.records = ZoneDrive.instance("b", ttl: 5)
        drive.run(for: .seconds(65))
        #expect(names(drive) == ["b"])
        #expect(drive.events.contains(.domain(ZoneDrive.zone, .running)))
    }

    @Test func aCutAnswerIsAskedForOverTCP() {
        var drive = ZoneDrive()
        drive.table[Self.server]?.records = ZoneDrive.instance("a")
        drive.table[Self.server]?.isCut = true
        drive.run()
        #expect(names(drive) == ["a"])
        #expect(drive.takeAsked().contains("SRV a._openclaw._tcp.zone.example tcp"))
    }

    /// Somebody who guesses at answers gets nowhere over TCP.
    @Test func whereSomebodyGuessesTCPIsUsed() {
        var drive = ZoneDrive()
        drive.table[Self.server]?.error = DNSExchangeError(.forged, "was guessed at")
        drive.run()
        #expect(drive.takeAsked().contains("PTR _openclaw._tcp.zone.example tcp"))
    }

    @Test func aServerWithoutEDNSIsAskedWithoutIt() {
        var drive = ZoneDrive()
        drive.table[Self.server]?.records = ZoneDrive.instance("a")
        let hasRefused = RefusedOnce()
        drive.table[Self.server]?.change = { answer in
            guard hasRefused.isFirst() else { return }
            (answer.answers, answer.flags) = ([], DNSFlags(rawValue: 0x8001))
        }
        drive.run()
        #expect(names(drive) == ["a"])
    }

    @Test func whatCannotBeReadIsNoAnswer() {
        var drive = ZoneDrive()
        var random = SeededGenerator(seed: 3)
        drive.take()
        for order in drive.orders {
            var bytes = order.message
            for _ in 0..<4 { bytes[random.draw(bytes.count)] = UInt8(truncatingIfNeeded: random.next()) }
            drive.browse.take(.success(bytes), of: order.number, now: drive.now)
        }
        #expect(drive.rows.isEmpty)
    }
}

/// Tells the first call from the later ones.
private final class RefusedOnce: Sendable {
    private let wasAsked = Atomic(false)

    func isFirst() -> Bool { !wasAsked.exchange(true, ordering: .relaxed) }
}
