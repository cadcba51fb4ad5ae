import DNSMessages
import DNSSD
import Testing

@testable import MulticastDNS

/// The questions that the querier asks, and when it asks them (RFC 6762 §5, §7, §15).
@Suite struct QuestionTests {
    private let browseQuestion = "_openclaw._tcp.local PTR"

    /// RFC 6762 §5.2: hosts that woke up together must not ask together.
    @Test(arguments: 1...20) func firstQuestionIsDelayed(seed: UInt64) throws {
        var link = QuerierHarness(seed: seed)
        try link.browse("_openclaw._tcp")
        link.advance(by: .seconds(0.5))
        let first = try #require(link.sent.first)
        #expect(first.time >= .milliseconds(20) && first.time <= .milliseconds(120))
        #expect(first.questions == [browseQuestion])
    }

    /// RFC 6762 §5.2: a second, then twice as long each time. The bound is the one the project promises.
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

    /// Records that were multicast while packets were lost are not multicast again: without a question they are not
    /// known for an hour. A question that is asked while packets are lost is in vain, and a host that causes losses on
    /// purpose does not make us go on asking.
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
        #expect((10...12).contains(link.takeSent().count), "once a minute at most, however often")
    }

    /// Most losses come of the answers to the first question: the next one comes soon enough, and not twice.
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

    /// RFC 6762 §5.3: many questions in one packet.
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

    /// RFC 6762 §15.1: a unicast answer to the shared port may reach another process.
    @Test func noQuestionWantsUnicast() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(Responses.response(try Responses.ptr("Foo")))
        link.advance(by: .seconds(200))
        #expect(link.sent.count > 8)
        #expect(link.sent.allSatisfy { $0.message.questions.allSatisfy { !$0.isUnicastWanted } })
        #expect(link.sent.allSatisfy { $0.message.id == 0 })
    }

    /// Records that came along with a PTR record are used; nothing is asked about a service that is complete.
    @Test func nothingIsAskedOfAWholeService() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(60))
        #expect(link.sent.allSatisfy { $0.questions == [browseQuestion] })
        #expect(link.sighting("Foo")?.resolution == .resolved)
    }

    /// Only what is missing is asked for, of all instances in one packet.
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
        // Each gets its answer, and is not asked again.
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

    /// Two thousand incomplete services must not become a burst that nobody's socket holds.
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

    /// RFC 6762 §6.1: an address that a host says it does not have is not asked for.
    @Test func whatAHostLacksIsNotAsked() throws {
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

    /// A host with one family that says nothing of the other is asked twice, not for ever.
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

    /// RFC 6762 §7.1: what is known is said, while more than half of its time is left.
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

    /// The same, past half of the time: then the question is to bring it anew.
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

    /// RFC 6762 §7.2: what does not fit follows, and all packets but the last say so.
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

    /// RFC 6762 §7.3: somebody asked the same just before.
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

    /// RFC 6762 §7.3: not if the other one knows what we do not: its answers would be missing here.
    @Test func aQuestionWithUnknownAnswersDoesNotCount() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(10))
        link.receive(try Responses.query("_openclaw._tcp.local", .ptr, known: [try Responses.ptr("Foo")]))
        link.advance(by: .milliseconds(200))
        #expect(link.sent.count == 1)
    }

    /// A forger that asks all the time must not keep us silent.
    @Test func nobodyKeepsUsSilent() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        for _ in 0..<200 {
            link.receive(try Responses.query("_openclaw._tcp.local", .ptr))
            link.advance(by: .milliseconds(100))
        }
        #expect(link.sent.count >= 2)
    }

    /// Nothing is asked any more, and nothing is kept, when nobody wants to know.
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
