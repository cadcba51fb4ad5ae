import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The counts of stored instances, hosts and bytes, on which the limits on memory depend.
@Suite struct AccountingTests {
    private typealias LAN = OneShotHarness

    private static let eth1Path = ServicePath(interface: LAN.eth1, family: .ipv4)

    /// Returns a random record of one of a few instances on one of a few hosts.
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
            return "the byte count of a path differs from its stored records"
        }
        let total = query.paths.values.reduce(0) { $0 + $1.byteCount }
        if query.byteCount != total { return "\(query.byteCount) bytes counted, but \(total) stored" }
        let names = Set(query.paths.values.flatMap(\.rows.keys))
        if query.instanceCounts.count != names.count {
            return "\(query.instanceCounts.count) instances counted, but \(names.count) stored"
        }
        for path in query.paths.values {
            if !path.followUp.missing.allSatisfy({ path.rows[$0] != nil }) { return "it asks for an unknown instance" }
            for (name, row) in path.rows {
                guard let target = row.location?.target else { continue }
                if path.hosts[target]?.instances.contains(name) != true { return "no host lists \(name)" }
            }
            for (name, host) in path.hosts
            where host.instances.contains(where: { path.rows[$0]?.location?.target != name }) {
                return "\(name) lists an instance that is on another host"
            }
        }
        return nil
    }

    /// The counts agree with the stored records after any sequence of events, and the limits hold.
    @Test func countsMatchStoredRecords() throws {
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
            _ = lan.takeEvents()
            #expect(lan.query.byteCount <= 700 && lan.query.instanceCounts.count <= 8)
            if let problem = problem(lan.query) {
                Issue.record("step \(step): \(problem)")
                return
            }
        }
        try lan.perform(lan.query.setLinks([], now: lan.now))
        #expect(lan.query.byteCount == 0 && lan.query.instanceCounts.count == 0)
    }

    /// A record that just fits into the limit on bytes is stored, and one that is a byte too long is not.
    @Test func theLastByteIsUsed() throws {
        let name = try LAN.name("Desk._openclaw._tcp.local")
        let host = try LAN.name("h2.local")
        for (spare, isReported) in [(0, true), (-1, false)] {
            let limit = name.wire.count + host.wire.count + 100 + spare
            var lan = try LAN(configuration: OneShotConfiguration(maximumBytes: limit))
            let text = try LAN.text("Desk", [UInt8](repeating: 0, count: 100))
            try lan.answer(id: lan.id(), [LAN.pointer("Desk"), LAN.location("Desk"), LAN.address(), text])
            #expect(lan.sightings().isEmpty != isReported)
            #expect(lan.query.byteCount == limit - (isReported ? 0 : 99))
        }
    }

    /// The number of hosts is limited to that of instances: more hosts can only come from a forger.
    @Test func hostsAreLimited() throws {
        var lan = try LAN(configuration: OneShotConfiguration(maximumInstances: 3))
        let id = try lan.id()
        for number in 0..<5 { try lan.answer(id: id, [LAN.address("h\(number).local")]) }
        #expect(lan.query.paths[LAN.path]?.hosts.count == 3)
        _ = lan.takeEvents()
        #expect(lan.losses.entries == 2)
    }

    // MARK: Questions

    /// Questions about long names that do not fit into one packet are sent in further packets, and none is left out.
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
        // Each question is sent once, and both questions about an instance are in the same packet.
        #expect(asked.count == 80 && Set(asked).count == 80)
        #expect(packets.allSatisfy { $0.questions.count.isMultiple(of: 2) })
    }

    /// An instance that was reconfirmed after its goodbye is not asked for again when another instance says goodbye
    /// later.
    @Test func reconfirmedInstanceIsNotAskedForAgain() throws {
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

    /// The addresses of a host are sorted, and each family has a limit of its own.
    @Test func theAddressesOfAHostAreSortedAndLimited() {
        var host = OneShotHost()
        let addresses = (1...3).map { IPAddress.v4(IPv4Address(bits: UInt32($0))) }
        let other = IPAddress.v6(IPv6Address(bits: 0x2001_0DB8 << 96 | 1))
        #expect(host.add(addresses[1], limit: 2) == .added && host.add(addresses[0], limit: 2) == .added)
        #expect(host.add(addresses[1], limit: 2) == .known && host.add(addresses[2], limit: 2) == .full)
        #expect(host.add(other, limit: 2) == .added)
        #expect(host.addresses == [other, addresses[0], addresses[1]])
    }

    /// An address is removed only if it is missing from two consecutive checks in which the host has sent other
    /// addresses of its family.
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
        #expect(!check(addresses), "the second address has been sent again")
        #expect(!check([addresses[0]]) && !check([]), "a host that sends nothing keeps its addresses")
        #expect(host.endCheck() == false, "no check is under way")
        #expect(!check([addresses[0]]) && check([addresses[0]]))
        #expect(host.addresses == [addresses[0]])
    }
}
