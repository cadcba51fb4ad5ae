import DNSSD
import Testing

@testable import Discovery

/// The questions that the querier asks, and their times (RFC 6762 §5, §7, §15).
@Suite struct QuestionTests {
    private let browseQuestion = "_openclaw._tcp.local PTR"

    /// The first question is delayed by 20 to 120 ms at random, so that hosts that woke up together do not ask together
    /// (RFC 6762 §5.2).
    @Test(arguments: 1...20) func firstQuestionIsDelayed(seed: UInt64) throws {
        var link = QuerierHarness(seed: seed)
        try link.browse("_openclaw._tcp")
        link.advance(by: .seconds(0.5))
        let first = try #require(link.sent.first)
        #expect(first.time >= .milliseconds(20) && first.time <= .milliseconds(120))
        #expect(first.questions == [browseQuestion])
    }

    /// The interval between questions begins at about a second and doubles each time up to an hour (RFC 6762 §5.2), so
    /// that an idle browse asks twelve times in the first hour, as the project promises.
    @Test func idleHourHasTwelveQuestions() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .seconds(3_600))
        let times = link.sent.map(\.time)
        #expect(times.count == 12)
        for (index, pair) in zip(times, times.dropFirst()).enumerated() {
            #expect(pair.1 - pair.0 == .milliseconds(1_150 << index))
        }
        _ = link.takeSent()
        link.advance(by: .seconds(24 * 3_600))
        #expect(link.sent.count <= 25)
    }

    /// A question is asked once the losses of packets have ended, since lost records are not multicast again unasked
    /// and would be missing for up to an hour. While packets are being lost, nothing is asked, because the answers
    /// would be lost as well; and a host that causes losses on purpose triggers no more than one question a minute.
    @Test func lossesAreRecoveredWhenTheyAreOver() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .seconds(7_200))
        _ = link.takeSent()
        for _ in 0..<100 {
            link.lose()
            link.advance(by: .milliseconds(100))
        }
        link.advance(by: .milliseconds(890))
        #expect(link.sent.isEmpty)
        link.advance(by: .milliseconds(150))
        #expect(link.sent.map(\.questions) == [[browseQuestion]])
        _ = link.takeSent()
        for _ in 0..<600 {
            link.lose()
            link.advance(by: .milliseconds(1_100))
        }
        #expect((10...12).contains(link.takeSent().count), "at most one question a minute")
    }

    /// A loss just after the first question changes nothing: the answers to that question usually cause it, and the
    /// second question follows soon anyway.
    @Test func aLossAtTheBeginningChangesNothing() throws {
        var quiet = QuerierHarness()
        var lossy = QuerierHarness()
        try quiet.browse("_openclaw._tcp")
        try lossy.browse("_openclaw._tcp")
        quiet.advance(by: .milliseconds(250))
        lossy.advance(by: .milliseconds(250))
        lossy.lose()
        quiet.advance(by: .seconds(10))
        lossy.advance(by: .seconds(10))
        #expect(lossy.sent.map(\.time) == quiet.sent.map(\.time))
    }

    /// The questions for all types of a browse share one packet (RFC 6762 §5.3).
    @Test func typesOfOneBrowseShareAPacket() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp", "_http._tcp", "_ssh._tcp,_home")
        link.advance(by: .milliseconds(200))
        #expect(link.sent.count == 1)
        #expect(
            Set(link.sent.first?.questions ?? []) == [
                browseQuestion, "_http._tcp.local PTR", "_home._sub._ssh._tcp.local PTR",
            ]
        )
    }

    /// No question sets the QU bit, since a unicast answer to the shared port 5353 may reach another process of this
    /// host (RFC 6762 §15.1).
    @Test func noQuestionWantsUnicast() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(Responses.response(try Responses.ptr("Foo")))
        link.advance(by: .seconds(200))
        #expect(link.sent.count > 8)
        #expect(link.sent.allSatisfy { $0.message.questions.allSatisfy { !$0.isUnicastWanted } })
        #expect(link.sent.allSatisfy { $0.message.id == 0 })
    }

    /// Additional records that arrive with a PTR record are used, so nothing more is asked about a complete service.
    @Test func nothingIsAskedOfAWholeService() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(60))
        #expect(link.sent.allSatisfy { $0.questions == [browseQuestion] })
        #expect(link.sighting("Foo")?.resolution == .resolved)
    }

    /// Only missing records are asked for, those of all instances in one packet.
    @Test func onlyWhatIsMissingIsAsked() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(200))
        _ = link.takeSent()
        link.receive(
            Responses.response(
                try Responses.ptr("Foo"),
                try Responses.ptr("Bar"),
                try Responses.srv("Bar", host: "bar"),
                try Responses.ptr("Baz"),
                try Responses.srv("Baz", host: "baz"),
                try Responses.txt("Baz")
            )
        )
        link.advance(by: .milliseconds(100))
        #expect(link.sent.count == 1)
        #expect(
            Set(link.sent.first?.questions ?? []) == [
                "Foo._openclaw._tcp.local SRV", "Foo._openclaw._tcp.local TXT", "Bar._openclaw._tcp.local TXT",
                "bar.local A", "bar.local AAAA", "baz.local A", "baz.local AAAA",
            ]
        )
        // Once the answers have arrived, nothing is asked again.
        _ = link.takeSent()
        link.receive(
            Responses.response(
                try Responses.srv("Foo", host: "bar"),
                try Responses.txt("Foo"),
                try Responses.txt("Bar"),
                try Responses.a("bar"),
                try Responses.aaaa("bar"),
                try Responses.a("baz"),
                try Responses.aaaa("baz")
            )
        )
        link.advance(by: .seconds(60))
        #expect(link.sent.allSatisfy { $0.questions == [browseQuestion] })
        for name in ["Foo", "Bar", "Baz"] { #expect(link.sighting(name)?.resolution == .resolved) }
    }

    /// The 2,000 questions about a thousand incomplete services are sent at most eight packets at a time, since a burst
    /// would exceed the socket buffers of responders.
    @Test func manyQuestionsArePaced() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        for index in 0..<1_000 { link.receive(Responses.response(try Responses.ptr("S\(index)")), turning: false) }
        link.advance(by: .milliseconds(1_000))
        let asked = link.sent.filter { $0.message.questions.contains { $0.type == .srv } }
        #expect(asked.reduce(0) { $0 + $1.message.questions.count } == 2_000)
        #expect(asked.allSatisfy { $0.size <= 1_452 })
        for (index, packet) in asked.enumerated() {
            #expect(asked[index...].prefix { $0.time == packet.time }.count <= 8)
        }
    }

    /// The addresses of a family are not asked for if the host's NSEC record denies them (RFC 6762 §6.1).
    @Test func deniedAddressFamilyIsNotAskedFor() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        let host = try Responses.name("host.local")
        let nsec = DNSRecord(name: host, ttl: 120, data: .nsec(NSECData(nextName: host, types: [.a])))
        link.receive(
            Responses.response(
                try Responses.ptr("Foo"),
                additionals: [try Responses.srv("Foo"), try Responses.txt("Foo"), try Responses.a(), nsec]
            )
        )
        link.advance(by: .seconds(60))
        #expect(!link.sent.contains { $0.questions.contains("host.local AAAA") })
    }

    /// The addresses of the second family are asked for only twice, if the host has answered for the first one and says
    /// nothing about the second.
    @Test func theOtherFamilyIsAskedTwice() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(
            Responses.response(
                try Responses.ptr("Foo"),
                additionals: [try Responses.srv("Foo"), try Responses.txt("Foo"), try Responses.a()]
            )
        )
        link.advance(by: .seconds(90))
        #expect(link.sent.count { $0.questions.contains("host.local AAAA") } == 2)
        #expect(link.sighting("Foo")?.resolution == .resolved)
    }

    /// A question contains the known answers while at least half of their TTL is left (RFC 6762 §7.1).
    @Test func knownAnswersAreSent() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(
            Responses.response(
                try Responses.ptr("Foo"),
                try Responses.srv("Foo", ttl: 4_500),
                try Responses.txt("Foo"),
                try Responses.a(ttl: 4_500)
            )
        )
        link.advance(by: .seconds(3_500))
        #expect(link.sent.count > 8)
        for packet in link.sent where packet.questions.contains(browseQuestion) {
            let age = UInt32(packet.time.components.seconds)
            let isKnown = packet.time < .seconds(2_250)
            #expect(packet.message.answers.map(\.data) == (isKnown ? [try Responses.ptr("Foo").data] : []))
            #expect(packet.message.answers.allSatisfy { $0.ttl <= 4_500 - age && $0.ttl + 1 >= 4_500 - age })
            #expect(packet.message.answers.allSatisfy { !$0.isCacheFlush })
        }
    }

    /// A record with less than half of its TTL left is no longer sent as a known answer, so that the question refreshes
    /// it (RFC 6762 §7.1).
    @Test func staleAnswersAreNotKnown() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(500))
        link.receive(Responses.response(try Responses.ptr("Foo", ttl: 100)))
        _ = link.takeSent()
        link.advance(by: .seconds(79))
        let late = link.sent.filter { $0.questions.contains(browseQuestion) && $0.time > .seconds(51) }
        let early = link.sent.filter { $0.questions.contains(browseQuestion) && $0.time < .seconds(49) }
        #expect(!late.isEmpty && late.allSatisfy { $0.message.answers.isEmpty })
        #expect(!early.isEmpty && early.allSatisfy { $0.message.answers.count == 1 })
    }

    /// Known answers that do not fit follow in further packets, and all packets but the last have the TC bit (RFC 6762
    /// §7.2).
    @Test func manyKnownAnswersFollowInMorePackets() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        for index in 0..<500 { link.receive(try Responses.whole("Service \(index)"), turning: false) }
        link.advance(by: .milliseconds(800))
        let packets = link.takeSent()
        #expect(packets.count > 5)
        #expect(packets.first?.questions == [browseQuestion])
        #expect(packets.dropFirst().allSatisfy { $0.message.questions.isEmpty })
        #expect(packets.dropLast().allSatisfy { $0.message.flags.isTruncated })
        #expect(packets.last?.message.flags.isTruncated == false)
        #expect(packets.reduce(0) { $0 + $1.message.answers.count } == 500)
        #expect(packets.allSatisfy { $0.size <= 1_452 })
    }

    /// A question is suppressed if another querier has just asked the same (RFC 6762 §7.3).
    @Test func aQuestionThatAnotherAskedIsNotAskedAgain() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(10))
        link.receive(try Responses.query("_openclaw._tcp.local", .ptr))
        link.advance(by: .milliseconds(1_050))
        #expect(link.sent.isEmpty)
        link.advance(by: .milliseconds(200))
        #expect(link.sent.count == 1)
    }

    /// A question of another querier does not suppress ours if it contains known answers that are unknown here, since
    /// these would not be repeated (RFC 6762 §7.3).
    @Test func aQuestionWithUnknownAnswersDoesNotCount() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(10))
        link.receive(try Responses.query("_openclaw._tcp.local", .ptr, known: [try Responses.ptr("Foo")]))
        link.advance(by: .milliseconds(200))
        #expect(link.sent.count == 1)
    }

    /// Another host that asks the same question all the time cannot suppress ours for ever.
    @Test func otherQueriersCannotSuppressQuestionsForever() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        for _ in 0..<200 {
            link.receive(try Responses.query("_openclaw._tcp.local", .ptr))
            link.advance(by: .milliseconds(100))
        }
        #expect(link.sent.count >= 2)
    }

    /// The addresses of a host expire together, and one question refreshes them all.
    @Test(arguments: 1...20) func severalRecordsOfOneNameAreRefreshedByOneQuestion(seed: UInt64) throws {
        var link = QuerierHarness(seed: seed)
        try link.browse("_openclaw._tcp")
        let addresses = try (2..<8).map { try Responses.aaaa("host", 0xFE80 << 112 | $0) }
        link.receive(
            Responses.response(
                try Responses.ptr("Desk"),
                additionals: [try Responses.srv("Desk"), try Responses.txt("Desk"), try Responses.a()] + addresses
            )
        )
        link.advance(by: .seconds(119))
        let packets = link.takeSent()
        #expect(packets.contains { $0.questions.contains("host.local AAAA") })
        for packet in packets {
            #expect(Set(packet.questions).count == packet.questions.count, "\(packet.time): \(packet.questions)")
        }
    }

    /// No question is asked and no record is kept after the last browse has ended.
    @Test func nothingIsLeftAfterABrowse() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(try Responses.whole("Foo"))
        link.receive(Responses.response(try Responses.ptr("Bar")))
        link.endBrowse()
        _ = link.takeSent()
        link.advance(by: .seconds(7_200))
        #expect(link.sent.isEmpty)
        #expect(link.querier.cache.count == 0)
        #expect(link.querier.questions.isEmpty)
        #expect(link.querier.hosts.isEmpty)
        #expect(link.querier.deadline == nil)
    }
}
