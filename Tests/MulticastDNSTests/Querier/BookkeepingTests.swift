import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The state that the querier keeps besides the records: pending work, counts of records that were left out, and
/// questions of other queriers.
@Suite struct QuerierBookkeepingTests {
    private let foo = "Foo._openclaw._tcp.local"

    private func browsing(_ limits: QuerierLimits = QuerierLimits()) throws -> QuerierHarness {
        var link = QuerierHarness(limits: limits)
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(300))
        _ = (link.takeSent(), link.takeEvents())
        return link
    }

    // MARK: Limits

    /// Each instance or record that exceeds a limit is counted, while the warning about each limit is given only once.
    @Test func excessRecordsAreCountedAndWarnedOfOnce() throws {
        var link = try browsing(QuerierLimits(instances: 2, recordsPerInstance: 1))
        for name in ["A", "B", "C", "D"] { link.receive(Responses.response(try Responses.ptr(name))) }
        #expect(link.querier.instances.count == 2 && link.leftOut() == 2)
        #expect(link.leftOut() == 0, "reading the count resets it")
        link.receive(Responses.response(try Responses.srv("A", isCacheFlush: false)))
        #expect(link.leftOut() == 0, "one record per instance is within the limit")
        link.receive(Responses.response(try Responses.srv("A", port: 4, isCacheFlush: false)))
        #expect(link.leftOut() == 1)
        let codes: [BackendWarning.Code] = link.takeEvents().compactMap {
            if case .warning(let warning) = $0 { warning.code } else { nil }
        }
        #expect(codes == [.tooManyInstances, .tooManyRecords])
    }

    /// An instance keeps no more SRV records than the limit, however many are received.
    @Test func recordsPerInstanceAreLimited() throws {
        var link = try browsing(QuerierLimits(recordsPerInstance: 3))
        link.receive(Responses.response(try Responses.ptr("Foo")))
        for port in 1...5 as ClosedRange<UInt16> {
            link.receive(Responses.response(try Responses.srv("Foo", port: port, isCacheFlush: false)))
        }
        #expect(link.querier.cache.count(of: RecordKey(try Responses.name(foo), .srv)) == 3)
        #expect(link.querier.cache.count == 4)
    }

    /// Each byte of a record's name and data is counted, since the limit on bytes depends on it.
    @Test func longerRecordsCountForMore() throws {
        func bytes(_ record: DNSRecord) throws -> Int {
            var random = SeededGenerator(seed: 1)
            var cache = RecordCache(now: .now)
            let source = PacketSource(.v4(IPv4Address(bits: 1)))
            _ = cache.receive(record, from: source, limit: 8, now: .now, using: &random)
            return cache.bytes
        }
        let short = try Responses.name("a.local")
        let long = try Responses.name("aaaaaaaaaaa.local")
        func size(_ name: DomainName, _ data: DNSRecordData) throws -> Int {
            try bytes(DNSRecord(name: name, ttl: 120, data: data))
        }
        #expect(try size(long, .a(1)) == size(short, .a(1)) + 10)
        #expect(try size(short, .ptr(long)) == size(short, .ptr(short)) + 10)
        #expect(try size(short, .txt([UInt8](repeating: 0, count: 50))) == size(short, .txt([0])) + 49)
        #expect(
            try size(short, .srv(SRVData(port: 1, target: long))) == size(short, .srv(SRVData(port: 1, target: short)))
                + 10
        )
    }

    // MARK: Pending work

    /// A queue that is cleaned of the obsolete entries of thousands of short-lived services keeps the entries of the
    /// remaining ones: their deadlines, questions and observations still happen on time.
    @Test func cleanedQueueKeepsPendingWork() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Bar", host: "bar"))
        link.advance(by: .seconds(2))
        for _ in 0..<2 {
            link.receive(try Responses.query("Bar._openclaw._tcp.local", .srv))
            link.advance(by: .seconds(2))
        }
        link.receive(Responses.response(try Responses.ptr("Foo")))
        for number in 0..<1_200 {
            let name = "S\(number)"
            link.receive(Responses.response(try Responses.ptr(name)), turning: false)
            link.receive(Responses.response(try Responses.ptr(name, ttl: 0)), turning: false)
        }
        link.advance(by: .milliseconds(1_200))
        #expect(link.querier.instances.count == 2)
        #expect(link.querier.queue.count < 50)
        _ = link.takeSent()
        link.advance(by: .milliseconds(3_900))
        #expect(link.sighting("Foo")?.resolution == .failed(reason: "no SRV record was answered within 5 s"))
        #expect(link.takeSent().flatMap(\.questions).contains("\(foo) SRV"), "the SRV record is still asked for")
        link.advance(by: .seconds(6))
        #expect(
            link.takeSent().flatMap(\.questions).contains("Bar._openclaw._tcp.local SRV"),
            "questions of other queriers remained unanswered, so the record is in doubt"
        )
    }

    /// Eight packets are sent at once and the next ones after ten milliseconds; no more than 1,024 wait.
    @Test func packetsArePacedAndTheFirstGoesAtOnce() {
        let start = ContinuousClock.now
        var outbox = PacketOutbox(now: start)
        #expect(outbox.take(until: start).isEmpty && outbox.deadline == nil)
        outbox.append((0..<10).map { [$0] })
        #expect(outbox.deadline == start)
        #expect(outbox.take(until: start).map { $0[0] } == Array(0..<8))
        #expect(outbox.take(until: start + .milliseconds(9)).isEmpty)
        #expect(outbox.deadline == start + .milliseconds(10))
        #expect(outbox.take(until: start + .milliseconds(10)).map { $0[0] } == [8, 9])
        #expect(outbox.deadline == nil)
        outbox.append((0..<2_000).map { [UInt8(truncatingIfNeeded: $0)] })
        #expect(outbox.count == 1_024, "further packets are dropped")
    }

    // MARK: Questions

    /// An NSEC record that arrives in a later packet than the SRV record and denies an IPv6 address ends the question
    /// for it.
    @Test func laterNSECRecordEndsAddressQuestion() throws {
        var link = try browsing()
        link.receive(Responses.response(try Responses.ptr("Foo"), try Responses.srv("Foo"), try Responses.txt("Foo")))
        let host = try Responses.name("host.local")
        link.receive(
            Responses.response(DNSRecord(name: host, ttl: 120, data: .nsec(NSECData(nextName: host, types: [.a]))))
        )
        link.advance(by: .seconds(3))
        let questions = link.takeSent().flatMap(\.questions)
        #expect(questions.contains("host.local A") && !questions.contains("host.local AAAA"))
    }

    /// An instance whose SRV record has expired no longer refers to a host, and the host's addresses are removed.
    @Test func instanceWithoutSRVRecordKeepsNoHost() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        #expect(link.querier.hosts.count == 1)
        link.receive(Responses.response(try Responses.srv("Foo", ttl: 0)))
        link.advance(by: .seconds(2))
        #expect(link.querier.hosts.isEmpty && link.querier.instances.count == 1)
        #expect(link.querier.cache.count == 2, "its PTR and TXT records remain")
    }

    /// The reconfirmation of an instance asks for each record that leads to the service, since any of them may be
    /// wrong.
    @Test func reconfirmationAsksForAllRecords() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        try link.reconfirm("Foo")
        link.advance(by: .seconds(1))
        let wanted: Set = ["_openclaw._tcp.local PTR", "\(foo) SRV", "host.local A", "host.local AAAA"]
        #expect(Set(link.takeSent().flatMap(\.questions)).isSuperset(of: wanted))
    }

    /// The names that have been browsed for but not asked for yet are listed until the first question is sent.
    @Test func unaskedNamesAreListed() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp", "_http._tcp")
        #expect(Set(link.querier.unasked.map(\.escaped)) == ["_openclaw._tcp.local", "_http._tcp.local"])
        link.advance(by: .milliseconds(120))
        #expect(link.querier.unasked.isEmpty)
    }

    /// The question after a loss of packets is delayed by a random time, since other hosts may have lost the same
    /// packets and must not all ask at once.
    @Test(arguments: 1...12 as ClosedRange<UInt64>) func afterALossTheQuestionWaitsForARandomTime(seed: UInt64) throws {
        var link = QuerierHarness(seed: seed)
        try link.browse("_openclaw._tcp")
        link.advance(by: .seconds(7_200))
        _ = link.takeSent()
        link.lose()
        link.advance(by: .milliseconds(1_019))
        #expect(link.takeSent().isEmpty)
        link.advance(by: .milliseconds(101))
        #expect(link.takeSent().count == 1)
    }

    /// A long list of questions is split into several packets without losing any; a short one shares its packet with
    /// the known answers.
    @Test func questionsArePackedWhole() throws {
        let names = try (0..<60).map { try Responses.name("a-service-type-\($0)._sub._openclaw._tcp.local") }
        let questions = names.map { DNSQuestion(name: $0, type: .ptr) }
        func messages(_ packets: [[UInt8]]) throws -> [DNSMessage] { try packets.map { try DNSMessage(decoding: $0) } }
        let many = try messages(QuestionPackets.make(questions, limit: 400))
        #expect(many.count > 2 && many.flatMap(\.questions).map(\.name) == names)
        let known = [try Responses.ptr("Foo"), try Responses.ptr("Bar")]
        let few = try messages(
            QuestionPackets.make(Array(questions.prefix(3)), knownAnswers: known, limit: 1_452, maximum: 4)
        )
        #expect(few.count == 1 && few.first?.questions.count == 3 && few.first?.answers.count == 2)
        let long = try messages(QuestionPackets.make(questions, knownAnswers: known, limit: 400, maximum: 99))
        #expect(long.flatMap(\.questions).map(\.name) == names && long.flatMap(\.answers).count == 2)
        // Two questions that each fill a packet are both sent.
        let two = try messages(
            QuestionPackets.make(Array(questions.prefix(2)), knownAnswers: known, limit: 80, maximum: 99)
        )
        #expect(two.flatMap(\.questions).count == 2 && two.allSatisfy { $0.encoded().bytes.count <= 80 })
    }

    // MARK: Questions of other queriers

    /// Questions of other queriers are observed only if a record in the cache should answer them: for other names, a
    /// missing answer means nothing.
    @Test func onlyQuestionsForWhatIsKnownAreWatched() throws {
        var link = try browsing()
        link.receive(try Responses.query("Nobody._openclaw._tcp.local", .srv))
        #expect(link.querier.observations.isEmpty)
        link.receive(try Responses.whole("Foo"))
        link.receive(try Responses.query(foo, .srv))
        #expect(link.querier.observations.count == 1)
    }

    /// A question of another querier within a second of the answer raises no doubt, since the owner does not multicast
    /// a record again within a second (RFC 6762 §6).
    @Test func questionSoonAfterAnswerRaisesNoDoubt() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .milliseconds(500))
        link.receive(try Responses.query(foo, .srv))
        link.advance(by: .seconds(2))
        link.receive(try Responses.query(foo, .srv))
        link.advance(by: .seconds(11))
        #expect(!link.takeSent().flatMap(\.questions).contains("\(foo) SRV"))
    }

    /// Questions of other queriers within a second count as one, so that a burst alone does not put a record in doubt.
    @Test func aBurstOfQuestionsIsOne() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(3))
        for _ in 0..<20 {
            link.receive(try Responses.query(foo, .srv))
            link.advance(by: .milliseconds(40))
        }
        #expect(link.querier.observations.values.map(\.count) == [1])
        link.advance(by: .milliseconds(300))
        link.receive(try Responses.query(foo, .srv))
        link.advance(by: .milliseconds(500))
        link.receive(try Responses.query(foo, .srv))
        #expect(link.querier.observations.values.map(\.count) == [2])
    }

    /// A legacy answer, whose TTL is ten seconds at most, does not shorten the lifetime of known records, and restores
    /// a record that a goodbye was about to remove.
    @Test func anAnswerToAPortOfOurOwnShortensNothing() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        let answers = [try Responses.ptr("Foo", ttl: 10), try Responses.srv("Foo", ttl: 10)]
        link.receiveLegacy(DNSMessage(flags: .authoritativeResponse, answers: answers))
        link.advance(by: .seconds(20))
        #expect(link.sighting("Foo")?.resolution == .resolved)
        link.receive(Responses.response(try Responses.ptr("Foo", ttl: 0)))
        link.receiveLegacy(DNSMessage(flags: .authoritativeResponse, answers: answers))
        link.advance(by: .seconds(3))
        #expect(link.sighting("Foo") != nil)
    }
}
