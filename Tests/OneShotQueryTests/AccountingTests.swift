import DNSMessages
import DNSSD
import TestSupport
import Testing

@testable import OneShotQuery

/// What is counted is what is kept: the limits on memory are worth no more than the count.
@Suite struct AccountingTests {
    private typealias LAN = OneShotHarness

    private static let eth1Path = ServicePath(interface: LAN.eth1, family: .ipv4)

    /// One of the records that a responder might send of one of a few instances on one of a few hosts.
    private static func anyRecord(_ random: inout SeededGenerator) throws -> DNSRecord {
        let name = "Desk \(random.next() % 12)"
        let host = "h\(random.next() % 5).local"
        switch random.next() % 5 {
        case 0, 1: return try LAN.pointer(name)
        case 2: return try LAN.location(name, host: host, port: UInt16(1 + random.next() % 2))
        case 3: return try LAN.text(name, [UInt8](repeating: 0, count: Int(random.next() % 120)))
        default: return try LAN.address(host, 0x0A63_0002 + UInt32(random.next() % 3))
        }
    }

    private func bytes(_ path: OneShotPath) -> Int {
        path.rows.reduce(0) { $0 + $1.key.wire.count + ($1.value.text?.count ?? 0) }
            + path.hosts.reduce(0) { $0 + ($1.value.addresses.isEmpty ? 0 : $1.key.wire.count) }
    }

    private func problem(_ query: OneShotQuery) -> String? {
        if query.paths.contains(where: { $1.byteCount != bytes($1) }) {
            return "a path counts other bytes than it keeps"
        }
        let total = query.paths.values.reduce(0) { $0 + $1.byteCount }
        if query.byteCount != total { return "\(query.byteCount) bytes for \(total)" }
        let names = Set(query.paths.values.flatMap(\.rows.keys))
        if query.instanceCounts.count != names.count {
            return "\(query.instanceCounts.count) for \(names.count) instances"
        }
        for path in query.paths.values {
            if !path.followUp.missing.allSatisfy({ path.rows[$0] != nil }) { return "it asks for what is not there" }
            for (name, row) in path.rows {
                guard let target = row.location?.target else { continue }
                if path.hosts[target]?.instances.contains(name) != true { return "\(name) is on no host" }
            }
            for (name, host) in path.hosts
            where host.instances.contains(where: { path.rows[$0]?.location?.target != name }) {
                return "\(name) has an instance that is elsewhere"
            }
        }
        return nil
    }

    @Test func whateverComesAndGoesIsCounted() throws {
        var random = SeededGenerator.forFuzzing("OneShotQuery accounting")
        let links = [LAN.link(), LAN.link(LAN.eth1, ["10.99.0.9"])]
        let limits = OneShotConfiguration(maximumInstances: 8, maximumBytes: 700)
        var lan = try LAN(configuration: limits, links: links)
        for step in 0..<TestCases.count(1_500) {
            let path = random.next() % 3 == 0 ? Self.eth1Path : LAN.path
            let desk = try ServiceInstance(name: "Desk \(random.next() % 12)", type: ServiceType(LAN.type))
            switch random.next() % 24 {
            case 0: lan.query.confirm(desk, on: path)
            case 1: lan.query.forget(desk, on: path, now: lan.now)
            case 2: lan.query.reconfirm(desk, now: lan.now)
            case 3: lan.query.protect(desk, random.next() % 2 == 0)
            case 4: try lan.pass(.milliseconds(Int(random.next() % 5_000)))
            case 5 where step % 50 == 5:
                try lan.perform(lan.query.setLinks([LAN.link()], now: lan.now))
                try lan.perform(lan.query.setLinks(links, now: lan.now))
            default:
                let records = try (0...random.next() % 4).map { _ in try Self.anyRecord(&random) }
                let interface: UInt32 = path == LAN.path ? 2 : 3
                try lan.answer(
                    id: lan.id(path),
                    records,
                    from: "10.99.0.\(2 + random.next() % 3)",
                    interface: interface,
                    on: path
                )
            }
            _ = lan.news()
            #expect(lan.query.byteCount <= 700 && lan.query.instanceCounts.count <= 8)
            if let problem = problem(lan.query) {
                Issue.record("step \(step): \(problem)")
                return
            }
        }
        try lan.perform(lan.query.setLinks([], now: lan.now))
        #expect(lan.query.byteCount == 0 && lan.query.instanceCounts.count == 0)
    }

    /// A record that just fits is taken, and one that is a byte too long is not.
    @Test func theLastByteIsUsed() throws {
        let name = try LAN.name("Desk._openclaw._tcp.local")
        let host = try LAN.name("h2.local")
        for (spare, isTold) in [(0, true), (-1, false)] {
            let limit = name.wire.count + host.wire.count + 100 + spare
            var lan = try LAN(configuration: OneShotConfiguration(maximumBytes: limit))
            let text = try LAN.text("Desk", [UInt8](repeating: 0, count: 100))
            try lan.answer(id: lan.id(), [LAN.pointer("Desk"), LAN.location("Desk"), LAN.address(), text])
            #expect(lan.sightings().isEmpty != isTold)
            #expect(lan.query.byteCount == limit - (isTold ? 0 : 99))
        }
    }

    /// Hosts are as many as instances may be: one more is one that a forger has made up.
    @Test func soManyHostsAreKept() throws {
        var lan = try LAN(configuration: OneShotConfiguration(maximumInstances: 3))
        let id = try lan.id()
        for number in 0..<5 { try lan.answer(id: id, [LAN.address("h\(number).local")]) }
        #expect(lan.query.paths[LAN.path]?.hosts.count == 3)
        _ = lan.news()
        #expect(lan.losses.entries == 2)
    }

    // MARK: Questions

    /// Long names fill a packet before their number does: the rest goes into further ones, and nothing is left out.
    @Test func allOfManyLongNamesAreAskedFor() throws {
        var lan = try LAN()
        let id = try lan.id()
        let names = (0..<40).map { String(repeating: "x", count: 50) + " \($0)" }
        for name in names { try lan.answer(id: id, [LAN.pointer(name)]) }
        _ = lan.questions()
        try lan.pass(.milliseconds(5))
        let packets = lan.takeSent()
        #expect(packets.count >= 2 && packets.allSatisfy { $0.encoded().bytes.count <= 1_472 })
        let asked = packets.flatMap(\.questions).map { "\($0.name.escaped) \($0.type)" }
        // Each once: one that had no room for its last question is not asked for by half in one packet, and again in the next.
        #expect(asked.count == 80 && Set(asked).count == 80)
        #expect(packets.allSatisfy { $0.questions.count.isMultiple(of: 2) })
    }

    /// A goodbye is followed by one question: whoever says goodbye later is asked for alone.
    @Test func whatWasReconfirmedIsNotAskedForWithOthers() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk") + LAN.all("Shelf"))
        try lan.pass(.milliseconds(2_500))
        _ = lan.questions()
        try lan.goodbye("Desk")
        try lan.pass(.milliseconds(1_000))
        try lan.answer(id: lan.id(), [LAN.location("Desk")])
        try lan.pass(.milliseconds(1_000))
        #expect(Set(lan.questions()) == ["Desk._openclaw._tcp.local SRV"])
        try lan.goodbye("Shelf")
        try lan.pass(.milliseconds(1_000))
        #expect(lan.questions() == ["Shelf._openclaw._tcp.local SRV"])
    }

    // MARK: Addresses

    /// The addresses of each family have a limit of their own, and are told of in order.
    @Test func theAddressesOfAHostAreSortedAndLimited() {
        var host = OneShotHost()
        let addresses = (1...3).map { IPAddress.v4(IPv4Address(bits: UInt32($0))) }
        let other = IPAddress.v6(IPv6Address(bits: 0x2001_0DB8 << 96 | 1))
        #expect(host.add(addresses[1], limit: 2) == .added && host.add(addresses[0], limit: 2) == .added)
        #expect(host.add(addresses[1], limit: 2) == .known && host.add(addresses[2], limit: 2) == .full)
        #expect(host.add(other, limit: 2) == .added)
        #expect(host.addresses == [other, addresses[0], addresses[1]])
    }

    /// An address goes when others of its family were told of without it in two checks in a row, and not before.
    @Test func anAddressThatIsMissedOnceStays() {
        var host = OneShotHost()
        let addresses = (1...2).map { IPAddress.v4(IPv4Address(bits: UInt32($0))) }
        for address in addresses { _ = host.add(address, limit: 4) }
        func check(_ heard: [IPAddress]) -> Bool {
            host.beginCheck()
            for address in heard { _ = host.add(address, limit: 4) }
            return host.endCheck()
        }
        #expect(!check([addresses[0]]) && host.addresses == addresses)
        #expect(!check(addresses), "it is there again")
        #expect(!check([addresses[0]]) && !check([]), "a silent host says nothing of them")
        #expect(host.endCheck() == false, "none is under way")
        #expect(!check([addresses[0]]) && check([addresses[0]]))
        #expect(host.addresses == [addresses[0]])
    }
}
