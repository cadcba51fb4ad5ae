import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The behaviour of several responders on one link.
@Suite struct SimulatedLinkTests {
    /// Exactly one of two responders that publish the same name is renamed, whatever the times of their publications
    /// and the delays of packets.
    @Test(arguments: 1...UInt64(TestCases.count(60))) func ofTwoWithOneNameExactlyOneIsRenamed(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var link = SimulatedLink(
            addresses: ["10.0.0.1", seed % 3 == 0 ? "10.0.0.1" : "10.0.0.2"],
            hosts: ["alpha", seed % 3 == 0 ? "alpha" : "beta"],
            seed: seed,
            duplication: random.next() % 30
        )
        _ = try link.publish("Kitchen", port: 1, at: 0)
        link.advance(by: .milliseconds(Int(random.next() % 1_500)))
        _ = try link.publish("Kitchen", port: 2, at: 1)
        link.advance(by: .seconds(30))
        let names = link.stations.compactMap(\.name)
        #expect(Set(names) == ["Kitchen", "Kitchen #2"], "seed \(seed): \(link.stations.map(\.states))")
        let renames = link.stations.flatMap(\.states).filter { if case .renamed = $0 { true } else { false } }
        #expect(renames.count == 1, "seed \(seed)")
        #expect(link.visible == ["Kitchen", "Kitchen #2"], "seed \(seed)")
    }

    /// Several responders that publish the same name end up with different names as soon as they hear each other, even
    /// if some of them announced the same name while the link was losing packets.
    @Test(arguments: 1...UInt64(TestCases.count(40))) func manyWithOneNameEndWithOneEach(seed: UInt64) throws {
        let count = 5
        var link = SimulatedLink(
            addresses: (1...count).map { "10.0.0.\($0)" },
            hosts: (1...count).map { "host\($0)" },
            seed: seed,
            loss: 20,
            duplication: 10
        )
        for index in 0..<count {
            _ = try link.publish("Kitchen", port: UInt16(index + 1), at: index)
            link.advance(by: .milliseconds(Int(link.random.next() % 400)))
        }
        link.advance(by: .seconds(60))
        // Responders that have not heard each other so far now announce their names on a link without losses.
        link.loss = 0
        for index in 0..<count {
            link.stations[index].responder.setLinks([], now: ResponderBench.start + link.time, using: &link.random)
            let own = ResponderBench.link(link.stations[index].address)
            link.stations[index].responder.setLinks([own], now: ResponderBench.start + link.time, using: &link.random)
        }
        link.advance(by: .seconds(60))
        let names = link.stations.compactMap(\.name)
        #expect(names.count == count && Set(names).count == count, "seed \(seed): \(names)")
    }

    /// A name that has been announced stays with its owner when other responders publish the same name later.
    @Test(arguments: 1...20) func aDefendedNameStays(seed: UInt64) throws {
        var link = SimulatedLink(
            addresses: ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
            hosts: ["alpha", "beta", "gamma"],
            seed: seed
        )
        _ = try link.publish("Kitchen", port: 1, at: 0)
        link.advance(by: .seconds(4))
        _ = try link.publish("Kitchen", port: 60_000, at: 1)
        _ = try link.publish("Kitchen", port: 60_001, at: 2)
        link.advance(by: .seconds(30))
        #expect(link.stations[0].states == [.publishing(waitingFor: nil), .published(name: "Kitchen")])
        #expect(Set(link.stations.compactMap(\.name)) == ["Kitchen", "Kitchen #2", "Kitchen #3"])
    }

    /// One of two hosts with the same name is renamed, while the services of both keep their names.
    @Test(arguments: 1...20) func ofTwoHostsWithOneNameOneIsRenamed(seed: UInt64) throws {
        var link = SimulatedLink(addresses: ["10.0.0.1", "10.0.0.2"], hosts: ["alpha", "alpha"], seed: seed)
        _ = try link.publish("Kitchen", port: 1, at: 0)
        link.advance(by: .milliseconds(Int(link.random.next() % 1_500)))
        _ = try link.publish("Office", port: 2, at: 1)
        link.advance(by: .seconds(30))
        #expect(link.visible == ["Kitchen", "Office"])
        #expect(Set(link.stations.map(\.responder.host.name.escaped)) == ["alpha.local", "alpha-2.local"])
    }

    /// No SRV record is sent before its sender owns the host name in it, not even in answers to questions in the
    /// meantime.
    @Test(arguments: 1...UInt64(TestCases.count(40))) func srvRecordsPointToOwnedHostNames(seed: UInt64) throws {
        var link = SimulatedLink(
            addresses: ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
            hosts: ["alpha", "alpha", "alpha"],
            seed: seed
        )
        for index in 0..<3 {
            _ = try link.publish("Room \(index)", port: UInt16(index + 1), at: index)
            link.advance(by: .milliseconds(Int(link.random.next() % 300)))
        }
        for _ in 0..<100 {
            let names = try (0..<3).map { try Samples.name("Room\\032\($0)._openclaw._tcp.local") }
            link.ask(names.map { DNSQuestion(name: $0, type: .srv) })
            link.advance(by: .milliseconds(200))
        }
        #expect(link.misleading.isEmpty, "seed \(seed): \(link.misleading)")
        #expect(Set(link.stations.map(\.responder.host.name)).count == 3)
        #expect(link.visible == ["Room 0", "Room 1", "Room 2"])
    }

    /// Two processes of one host use the same host name and port 5353 without conflict, and each answers for its own
    /// service.
    @Test(arguments: 1...20) func twoProcessesOfOneHostPublishSideBySide(seed: UInt64) throws {
        var link = SimulatedLink(addresses: ["10.0.0.1", "10.0.0.1"], hosts: ["alpha", "alpha"], seed: seed)
        let first = try link.publish("Kitchen", port: 1, at: 0)
        _ = try link.publish("Office", port: 2, at: 1)
        link.advance(by: .seconds(10))
        #expect(link.stations.map(\.name) == ["Kitchen", "Office"])
        #expect(link.stations.allSatisfy { $0.responder.host.name.escaped == "alpha.local" })
        #expect(link.stations.allSatisfy { $0.responder.counters.conflicts == 0 })
        link.withdraw(first, at: 0)
        link.advance(by: .seconds(3))
        #expect(link.visible == ["Office"], "the goodbye removes only the withdrawn service")
        let host = try DNSRecord(name: Samples.name("alpha.local"), ttl: 0, data: .a(0x0A00_0001))
        #expect(link.heard[host] == 120, "the other process announces the host's address again")
    }

    /// Services that are published and withdrawn at random end up visible under different names, and the responders
    /// come to rest.
    @Test(arguments: 1...UInt64(TestCases.count(40))) func comingsAndGoingsEndAsTheyShould(seed: UInt64) throws {
        var link = SimulatedLink(
            addresses: ["10.0.0.1", "10.0.0.2", "10.0.0.3"],
            hosts: ["alpha", "beta", "alpha"],
            seed: seed,
            duplication: 20
        )
        var published: [(id: PublicationID, index: Int)] = []
        for step in 0..<30 {
            if link.random.next() % 3 == 0, !published.isEmpty {
                let gone = published.remove(at: Int(link.random.next() % UInt64(published.count)))
                link.withdraw(gone.id, at: gone.index)
            } else {
                let index = Int(link.random.next() % 3)
                let name = "Room \(link.random.next() % 5)"
                published.append((try link.publish(name, port: UInt16(step + 1), at: index), index))
            }
            link.advance(by: .milliseconds(Int(link.random.next() % 3_000)))
        }
        // In this time, publications take back their requested names where these are free.
        link.advance(by: .seconds(300))
        let names = published.map { link.stations[$0.index].responder.publications[$0.id]?.name }
        #expect(!names.contains(nil))
        #expect(Set(names).count == published.count, "seed \(seed): each has a name of its own")
        #expect(link.visible.isSuperset(of: names.compactMap { $0 }), "seed \(seed)")
        // A responder may be taking back a name at this moment.
        for _ in 0..<10 where !link.isAtRest { link.advance(by: .seconds(2)) }
        #expect(link.isAtRest, "seed \(seed)")
        for (id, index) in published { link.withdraw(id, at: index) }
        link.advance(by: .seconds(10))
        #expect(link.stations.allSatisfy { $0.responder.isIdle && $0.responder.deadline == nil })
    }
}
