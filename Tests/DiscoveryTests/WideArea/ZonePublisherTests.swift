import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// What is in a zone was put there by somebody who wants it to stay: nothing of others is overwritten, and nothing of ours is
/// left behind.
@Suite struct ZonePublisherTests {
    private let start = ContinuousClock.now
    private let time: UInt64 = 1_800_000_000

    private func publisher(_ owner: String = "aaaaaaaa", isPointed: Bool = false) throws -> ZonePublisher {
        ZonePublisher(try ZoneNames("kitchen.example.org"), owner: owner, isPointed: isPointed) { problem in
            problem.error(zone: "kitchen.example.org", server: "ns", key: "site1")
        }
    }

    private func service(
        _ name: String = "Kitchen",
        host: String = "studio.local",
        bots: String = "1",
        types: [String] = ["_openclaw._tcp,_home"]
    ) throws -> ZoneService {
        ZoneService(
            name: name,
            types: try types.map { try ServiceType($0) },
            port: 3_000,
            txt: try TXTRecord([("name", name), ("bots", bots)]),
            host: host,
            addresses: ["10.1.2.3", "fd00::1", "127.0.0.1", "169.254.1.1", "fe80::1", "0.0.0.0"].compactMap {
                IPAddress($0)
            }
        )
    }

    private func text(_ zone: FakeZone) -> [String] { zone.records.map(\.zoneText).sorted() }

    /// Whoever browses finds the service, and nobody gets an address that leads to another host from there.
    @Test func aServiceIsThereWithAllRecordsAndLeavesNone() throws {
        var (zone, publisher) = (FakeZone(), try publisher(isPointed: true))
        publisher.publish(try service(), as: 1)
        let reports = zone.serve(&publisher, now: start, time: time)
        #expect(reports.map(\.state) == [.publishing(waitingFor: nil), .published(name: "Kitchen")])
        let (domain, end) = ("kitchen.example.org.", 1_800_001_800)
        #expect(
            text(zone) == [
                "Kitchen._openclaw._tcp.\(domain) 60 IN SRV 0 0 3000 studio-aaaaaaaa.hosts.\(domain)",
                "Kitchen._openclaw._tcp.\(domain) 60 IN TXT \"name=Kitchen\" \"bots=1\"",
                "_home._sub._openclaw._tcp.\(domain) 60 IN PTR Kitchen._openclaw._tcp.\(domain)",
                "_lease.Kitchen._openclaw._tcp.\(domain) 60 IN TXT \"owner=aaaaaaaa\" \"until=\(end)\" "
                    + "\"host=studio-aaaaaaaa\" \"type=_openclaw._tcp,_home\"",
                "_openclaw._tcp.\(domain) 60 IN PTR Kitchen._openclaw._tcp.\(domain)",
                "_services._dns-sd._udp.\(domain) 60 IN PTR _openclaw._tcp.\(domain)",
                "lb._dns-sd._udp.example.org. 60 IN PTR \(domain)",
                "studio-aaaaaaaa.hosts.\(domain) 60 IN A 10.1.2.3",
                "studio-aaaaaaaa.hosts.\(domain) 60 IN AAAA fd00::1",
            ]
        )
        #expect(!publisher.isIdle)
        publisher.withdraw(1)
        #expect(zone.serve(&publisher, now: start, time: time).map(\.state) == [.withdrawn])
        #expect(zone.records.isEmpty)
        #expect(publisher.isIdle)
    }

    /// Two sites may have a gateway of one name; each is told which name it has.
    @Test func aNameOfOthersIsNotTaken() throws {
        var (zone, first, second) = (FakeZone(), try publisher("aaaaaaaa"), try publisher("bbbbbbbb"))
        first.publish(try service(), as: 1)
        _ = zone.serve(&first, now: start, time: time)
        let before = zone.records
        second.publish(try service("kitchen", host: "other"), as: 1)
        let reports = zone.serve(&second, now: start, time: time)
        #expect(
            reports.map(\.state) == [
                .publishing(waitingFor: nil), .renamed(from: "kitchen", to: "kitchen #2"),
                .published(name: "kitchen #2"),
            ]
        )
        #expect(before.allSatisfy { zone.records.contains($0) })
        second.withdraw(1)
        _ = zone.serve(&second, now: start, time: time)
        #expect(Set(zone.records) == Set(before))
    }

    /// Two gateways of one host have the same publisher, whose lease tells them not apart.
    @Test func twoServicesOfOneNameGetTwoNames() throws {
        var (zone, publisher) = (FakeZone(), try publisher())
        publisher.publish(try service(), as: 1)
        publisher.publish(try service("kitchen", bots: "2"), as: 2)
        let reports = zone.serve(&publisher, now: start, time: time)
        #expect(reports.contains { $0 == (2, .renamed(from: "kitchen", to: "kitchen #2")) })
        #expect(zone.records.count { $0.type == .srv } == 2)
        #expect(Set(zone.records.filter { $0.type == .srv }.map(\.name)).count == 2)
    }

    /// What an administrator wrote into the zone has no lease, and stays.
    @Test func recordsWithoutLeaseStay() throws {
        var (zone, publisher) = (FakeZone(), try publisher())
        let given = DNSRecord(
            name: "Kitchen._openclaw._tcp.kitchen.example.org",
            ttl: 60,
            data: .srv(SRVData(port: 1, target: "h.example.org"))
        )
        zone.add(given)
        publisher.publish(try service(), as: 1)
        #expect(zone.serve(&publisher, now: start, time: time).last?.state == .published(name: "Kitchen #2"))
        _ = zone.serve(&publisher, now: start + .seconds(100_000), time: time + 100_000)
        #expect(zone.records.contains(given))
    }

    /// After `kill -9`, the next start finds its own name taken by itself.
    @Test func afterACrashItTakesOverItsOwn() throws {
        var (zone, crashed, next) = (FakeZone(), try publisher(), try publisher())
        crashed.publish(try service(types: ["_openclaw._tcp,_home"]), as: 1)
        _ = zone.serve(&crashed, now: start, time: time)
        next.publish(try service(host: "renamed", types: ["_openclaw._tcp,_lab"]), as: 7)
        let reports = zone.serve(&next, now: start, time: time + 60)
        #expect(reports.map(\.state) == [.publishing(waitingFor: nil), .published(name: "Kitchen")])
        #expect(!text(zone).contains { $0.contains("studio-") || $0.contains("_home") })
        next.withdraw(7)
        _ = zone.serve(&next, now: start, time: time + 60)
        #expect(zone.records.isEmpty)
    }

    /// A renewal that changed what browsers read would wake all of them, every ten minutes.
    @Test func aLeaseIsRenewedByItself() throws {
        var (zone, publisher) = (FakeZone(), try publisher())
        publisher.publish(try service(), as: 1)
        _ = zone.serve(&publisher, now: start, time: time)
        let before = zone.records
        #expect(zone.serve(&publisher, now: start + .seconds(599), time: time + 599).isEmpty)
        #expect(zone.updates.count == 1)
        _ = zone.serve(&publisher, now: start + .seconds(600), time: time + 600)
        let changed = Set(zone.records).symmetricDifference(before)
        #expect(changed.count == 2)
        #expect(changed.allSatisfy { ZoneLease($0.data) != nil })
        #expect(zone.updates.count == 2)
    }

    /// A host that burned down must not be found for ever, and one whose clock is wrong must not be removed.
    @Test func whatIsOverIsRemovedByOthers() throws {
        var (zone, dead, alive) = (FakeZone(), try publisher("dddddddd"), try publisher("aaaaaaaa"))
        dead.publish(try service("Dead", host: "dead", types: ["_openclaw._tcp,_home", "_openclaw-gw._tcp"]), as: 1)
        _ = zone.serve(&dead, now: start, time: time)
        alive.publish(try service("Alive"), as: 1)
        let end = time + ZonePublisher.leaseTime + ZoneLease.tolerance
        _ = zone.serve(&alive, now: start, time: end)
        #expect(text(zone).contains { $0.contains("Dead") })
        _ = zone.serve(&alive, now: start + ZonePublisher.interval, time: end + 1)
        #expect(!text(zone).contains { $0.lowercased().contains("dead") || $0.contains("-gw") })
        #expect(text(zone).contains { $0.contains("Alive") })
    }

    /// A publisher that was only cut off, and renews its lease while others look at it, keeps its records.
    @Test func whatIsRenewedMeanwhileStays() throws {
        var (zone, late, alive) = (FakeZone(), try publisher("dddddddd"), try publisher("aaaaaaaa"))
        late.publish(try service("Late", host: "late"), as: 1)
        _ = zone.serve(&late, now: start, time: time)
        let (now, end) = (start + .seconds(5_000), time + 5_000)
        alive.publish(try service("Alive"), as: 1)
        var hasLooked = false
        for _ in 0..<20 {
            let step = alive.next(now: now, time: end)
            if case .update(let update, _) = step, hasLooked || update.guards.first?.type == .txt {
                hasLooked = true
                _ = zone.serve(&late, now: now, time: end)
            }
            guard let result = zone.result(ofOne: step) else { break }
            alive.receive(result, now: now, time: end)
        }
        #expect(hasLooked)
        #expect(text(zone).contains { $0.hasPrefix("Late.") })
    }

    /// A cut in the line is told with its reason, and mends itself; the name stays.
    @Test func withoutTheServerNothingIsLost() throws {
        var (zone, publisher) = (FakeZone(), try publisher())
        publisher.publish(try service(), as: 1)
        _ = zone.serve(&publisher, now: start, time: time)
        let before = zone.records
        zone.problem = .badSignature
        publisher.publish(try service(bots: "2"), as: 1)
        let reports = zone.serve(&publisher, now: start + .seconds(10), time: time + 10)
        guard case .publishing(waitingFor: let error?) = reports.last?.state else {
            Issue.record("the reason is not told")
            return
        }
        #expect(error.message.contains("BADSIG"))
        #expect(Set(zone.records) == Set(before))
        zone.problem = nil
        // The lease may be over by then.
        let later = zone.serve(&publisher, now: start + .seconds(5_000), time: time + 5_000)
        #expect(later.map(\.state) == [.published(name: "Kitchen")])
        #expect(text(zone).contains { $0.contains("bots=2") })
    }

    /// A thousand services that come at once share few updates, and those whose names are taken do not hold up the others.
    @Test func manyServicesShareUpdates() throws {
        var (zone, publisher, crashed) = (FakeZone(), try publisher(), try publisher())
        for id in 0..<50 { crashed.publish(try service("Gateway \(id * 10)"), as: id) }
        _ = zone.serve(&crashed, now: start, time: time)
        let before = zone.updates.count
        for id in 0..<200 { publisher.publish(try service("Gateway \(id)"), as: id) }
        let reports = zone.serve(&publisher, now: start, time: time)
        #expect(reports.count { if case .published = $0.state { true } else { false } } == 200)
        #expect(zone.updates.count - before <= 8)
        for id in 0..<200 { publisher.withdraw(id) }
        _ = zone.serve(&publisher, now: start, time: time)
        #expect(publisher.isIdle)
        #expect(zone.records.count { ZoneLease($0.data) != nil } == 30)
    }

    /// BIND takes 100 records of a type by default: the first 100 are there, and the others say why they are not.
    @Test func aFullListIsToldToThoseThatAreOneTooMany() throws {
        var (zone, publisher) = (FakeZone(), try publisher())
        zone.mostOfOneType = 100
        for id in 0..<150 { publisher.publish(try service("Gateway \(id)"), as: id) }
        var last: [Int: PublicationState] = [:]
        for report in zone.serve(&publisher, now: start, time: time) { last[report.id] = report.state }
        #expect(last.values.count { if case .published = $0 { true } else { false } } == 100)
        let codes = last.values.compactMap { state in
            if case .publishing(waitingFor: let error?) = state { error } else { nil }
        }
        #expect(codes.count == 50)
        #expect(codes.allSatisfy { $0.code == .limitReached && $0.message.contains("max-records-per-type") })
    }

    /// Somebody who claims every name that is tried is no reason to flood the server.
    @Test func aClaimantOfAllNamesIsWaitedFor() throws {
        var (zone, publisher) = (FakeZone(), try publisher())
        for number in 1...40 {
            zone.add(
                DNSRecord(
                    name: try DomainName(escaped: "_openclaw._tcp.kitchen.example.org")
                        .prepending((number == 1 ? "Kitchen" : "Kitchen #\(number)").utf8),
                    ttl: 60,
                    data: .txt([0])
                )
            )
        }
        publisher.publish(try service(), as: 1)
        let reports = zone.serve(&publisher, now: start, time: time)
        #expect(reports.count < 40)
        #expect(reports.last?.state == .publishing(waitingFor: .namesTaken("Kitchen")))
    }
}
