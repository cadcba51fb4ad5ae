import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// Probing for a name and announcing it (RFC 6762 §8.1, §8.3).
@Suite struct ProbingTests {
    @Test func threeProbesAQuarterOfASecondApartComeBeforeTwoAnnouncements() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .seconds(60))
        let probes = bench.probes.map(\.time)
        try #require(probes.count == 3)
        #expect(probes[0] <= .milliseconds(250))
        #expect(probes[1] - probes[0] == .milliseconds(250))
        #expect(probes[2] - probes[1] == .milliseconds(250))
        let announcements = bench.multicasts.map(\.time)
        #expect(announcements == [probes[2] + .milliseconds(250), probes[2] + .milliseconds(1_250)])
        #expect(bench.states == [.publishing(waitingFor: nil), .published(name: "Kitchen")])
        #expect(bench.responder.deadline == nil, "no timer remains once everything is announced")
    }

    @Test func theFirstProbeWaitsForARandomTime() throws {
        var starts: Set<Duration> = []
        for seed in 1...40 {
            var bench = ResponderBench(seed: UInt64(seed))
            _ = try bench.publish()
            bench.advance(by: .seconds(1))
            starts.insert(try #require(bench.probes.first).time)
        }
        #expect(starts.count > 20)
        #expect(starts.allSatisfy { $0 <= .milliseconds(250) })
    }

    @Test func probesClaimAllRecordsForAllToHear() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .seconds(1))
        let probe = try #require(bench.probes.first)
        #expect(probe.isMulticast)
        #expect(Set(probe.message.questions.map(\.name.escaped)) == ["alpha.local", "Kitchen._openclaw._tcp.local"])
        #expect(probe.message.questions.allSatisfy { $0.type == .any && !$0.isUnicastWanted })
        #expect(Set(probe.message.authorities.map(\.type)) == [.a, .srv, .txt])
        #expect(probe.message.authorities.allSatisfy { !$0.isCacheFlush })
        #expect(probe.message.answers.isEmpty)
    }

    @Test func whatIsPublishedTogetherIsProbedForTogether() throws {
        var bench = ResponderBench()
        for index in 0..<5 { _ = try bench.publish("Room \(index)", port: UInt16(3_000 + index)) }
        bench.advance(by: .seconds(5))
        #expect(bench.probes.count == 3)
        #expect(bench.probes.allSatisfy { $0.message.questions.count == 6 })
    }

    @Test func manyNamesAreProbedForInPacketsOfTheLink() throws {
        var bench = ResponderBench()
        for index in 0..<100 { _ = try bench.publish("Room \(index)", port: UInt16(3_000 + index)) }
        bench.advance(by: .seconds(5))
        #expect(bench.sent.allSatisfy { $0.size <= 1_472 })
        let asked = bench.probes.flatMap(\.message.questions).map(\.name)
        #expect(Set(asked).count == 101)
        #expect(asked.count == 303)
        #expect(bench.states.filter { if case .published = $0 { true } else { false } }.count == 100)
    }

    @Test func announcementsHoldEverythingWithCacheFlushWhereItIsOursAlone() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .seconds(3))
        let announcement = try #require(bench.multicasts.first).message
        #expect(announcement.flags == .authoritativeResponse)
        #expect(announcement.questions.isEmpty)
        let flushed = Set(announcement.answers.filter(\.isCacheFlush).map(\.type))
        let shared = Set(announcement.answers.filter { !$0.isCacheFlush }.map(\.type))
        #expect(flushed == [.a, .srv, .txt])
        #expect(shared == [.ptr])
        for record in announcement.answers {
            let isHost = record.type == .srv || record.type == .a
            #expect(record.ttl == (isHost ? 120 : 4_500), "RFC 6762 §10: \(record.type)")
        }
    }

    @Test func nothingIsAnsweredBeforeTheNameIsOurs() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(400))
        try bench.ask(ResponderBench.typeName, .ptr)
        try bench.ask("alpha.local", .a, id: 7, port: 40_000)
        #expect(bench.sent.allSatisfy { !$0.message.flags.isResponse })
    }

    @Test func eightAnnouncementsAreTheMostAndEachWaitsTwiceAsLong() throws {
        var limits = ResponderLimits()
        limits.announcements = 100
        var bench = ResponderBench(limits: limits)
        _ = try bench.publish()
        bench.advance(by: .seconds(600))
        let times = bench.multicasts.map(\.time)
        try #require(times.count == 8)
        let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(gaps == (0..<7).map { .seconds(1 << $0) })
    }

    @Test func aNewLinkGetsItsOwnProbesAndAnnouncementsAndAddresses() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        let wlan0 = NetworkInterface(index: 3, name: "wlan0")
        let added = ResponderBench.link("192.168.7.1", "fe80::1", on: wlan0)
        bench.responder.setLinks([bench.link, added], now: bench.now, using: &bench.random)
        bench.advance(by: .seconds(5))
        #expect(Set(bench.sent.map(\.path.interface)) == [wlan0], "nothing has changed on eth0")
        #expect(Set(bench.sent.map(\.path.family)) == [.ipv4, .ipv6])
        #expect(bench.probes.count == 6)
        let addresses = bench.multicasts.flatMap(\.message.answers).compactMap { record -> UInt32? in
            if case .a(let bits) = record.data { bits } else { nil }
        }
        #expect(Set(addresses) == [0xC0A8_0701], "each link receives only its own addresses")
        #expect(bench.states.count == 2, "the publication stays published, so there is no new report")
    }

    @Test func aLinkThatWentAndCameIsNew() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        bench.responder.setLinks([], now: bench.now, using: &bench.random)
        bench.advance(by: .seconds(5))
        #expect(bench.sent.isEmpty)
        bench.responder.setLinks([bench.link], now: bench.now, using: &bench.random)
        bench.advance(by: .seconds(5))
        #expect(bench.probes.count == 3)
        #expect(bench.multicasts.count == 2)
    }

    /// A publication without a link reports the reason for waiting, and reports that it is published again once there
    /// is a link.
    @Test func withoutALinkThePublicationSaysThatItWaits() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        bench.responder.setLinks([], now: bench.now, using: &bench.random)
        bench.advance(by: .seconds(5))
        guard case .publishing(waitingFor: let reason?) = bench.states.last else {
            Issue.record("the state is \(String(describing: bench.states.last))")
            return
        }
        #expect(reason.code == .noInterface)
        bench.states = []
        bench.responder.setLinks([bench.link], now: bench.now, using: &bench.random)
        bench.advance(by: .seconds(5))
        #expect(bench.states == [.publishing(waitingFor: nil), .published(name: "Kitchen")])
    }

    /// A publication for an interface that does not exist waits from the start, with the known reason, until the
    /// interface appears.
    @Test func aPublicationWaitsForItsOwnInterface() throws {
        var bench = ResponderBench()
        var advertisement = Advertisement(name: "Kitchen", types: [ResponderBench.type], port: 1)
        advertisement.interfaces = ["wlan0"]
        _ = try bench.responder.publish(advertisement, now: bench.now, using: &bench.random)
        bench.turn()
        guard case .publishing(waitingFor: let reason?) = bench.states.last else {
            Issue.record("the state is \(String(describing: bench.states.last))")
            return
        }
        #expect(reason.message.contains("wlan0"))
        let trouble = BackendError(.refused, "no socket")
        bench.responder.setLinks([bench.link], trouble: trouble, now: bench.now, using: &bench.random)
        bench.turn()
        #expect(bench.states.last == .publishing(waitingFor: trouble))
        let wlan0 = NetworkInterface(index: 3, name: "wlan0")
        let links = [bench.link, ResponderBench.link("192.168.7.1", on: wlan0)]
        bench.responder.setLinks(links, now: bench.now, using: &bench.random)
        bench.advance(by: .seconds(5))
        #expect(bench.states.last == .published(name: "Kitchen"))
    }

    @Test func anotherAddressIsAnnounced() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        let changed = ResponderBench.link("10.0.0.7", "10.0.0.8")
        bench.responder.setLinks([changed], now: bench.now, using: &bench.random)
        bench.advance(by: .seconds(5))
        #expect(bench.probes.isEmpty)
        #expect(bench.multicasts.count == 2)
        let records = try #require(bench.multicasts.first).message.answers
        #expect(records.map(\.data) == [.a(0x0A00_0007), .a(0x0A00_0008)])
        #expect(records.allSatisfy { $0.isCacheFlush }, "the cache-flush bit removes the old address from caches")
    }

    @Test func anAdvertisementForSomeInterfacesIsSeenThereOnly() throws {
        var bench = ResponderBench()
        let wlan0 = NetworkInterface(index: 3, name: "wlan0")
        let links = [bench.link, ResponderBench.link("192.168.7.1", on: wlan0)]
        bench.responder.setLinks(links, now: bench.now, using: &bench.random)
        var advertisement = Advertisement(name: "Kitchen", types: [ResponderBench.type], port: 1)
        advertisement.interfaces = ["wlan0"]
        _ = try bench.responder.publish(advertisement, now: bench.now, using: &bench.random)
        bench.advance(by: .seconds(5))
        #expect(!bench.sent.isEmpty)
        #expect(Set(bench.sent.map(\.path.interface)) == [wlan0])
    }
}
