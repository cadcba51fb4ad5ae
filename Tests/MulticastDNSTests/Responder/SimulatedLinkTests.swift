import DNSMessages
import DNSSD
import TestSupport
import Testing

@testable import MulticastDNS

/// Several responders on one link.
@Suite struct SimulatedLinkTests {
    /// Of two responders that want one name, exactly one gets another, whenever they come and whatever the link does.
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

    /// On a link that loses packets both may announce for a moment; as soon as they hear each other it is settled.
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
        // Those that heard nothing of each other so far hear each other now.
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

    /// A name that is announced stays with who has it, however many come and want it.
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

    /// Hosts of one name: the service keeps its name, and every address belongs to one name.
    @Test(arguments: 1...20) func ofTwoHostsWithOneNameOneIsRenamed(seed: UInt64) throws {
        var link = SimulatedLink(addresses: ["10.0.0.1", "10.0.0.2"], hosts: ["alpha", "alpha"], seed: seed)
        _ = try link.publish("Kitchen", port: 1, at: 0)
        link.advance(by: .milliseconds(Int(link.random.next() % 1_500)))
        _ = try link.publish("Office", port: 2, at: 1)
        link.advance(by: .seconds(30))
        #expect(link.visible == ["Kitchen", "Office"])
        #expect(Set(link.stations.map(\.responder.host.name.escaped)) == ["alpha.local", "alpha-2.local"])
    }

    /// A service leads to a host name only once that is its host's, also to whoever asks in between.
    @Test(arguments: 1...UInt64(TestCases.count(40))) func whereAServiceLeadsIsItsHosts(seed: UInt64) throws {
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

    /// Two processes of one host share its name and its port, and each answers for its own.
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
        #expect(link.visible == ["Office"], "a goodbye ends what it is for")
        let host = try DNSRecord(name: Samples.name("alpha.local"), ttl: 0, data: .a(0x0A00_0001))
        #expect(link.heard[host] == 120, "the other process says at once that the host is still there")
    }

    /// Services that are published and taken back at random are in the end as they should be, and the link falls
    /// silent.
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
        // Names that were given up for another are taken back meanwhile, where they are free.
        link.advance(by: .seconds(300))
        let names = published.map { link.stations[$0.index].responder.publications[$0.id]?.name }
        #expect(!names.contains(nil))
        #expect(Set(names).count == published.count, "seed \(seed): each has a name of its own")
        #expect(link.visible.isSuperset(of: names.compactMap { $0 }), "seed \(seed)")
        // One may be on its way to that just now.
        for _ in 0..<10 where !link.isAtRest { link.advance(by: .seconds(2)) }
        #expect(link.isAtRest, "seed \(seed)")
        for (id, index) in published { link.withdraw(id, at: index) }
        link.advance(by: .seconds(10))
        #expect(link.stations.allSatisfy { $0.responder.isIdle && $0.responder.deadline == nil })
    }
}
