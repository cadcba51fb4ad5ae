import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The answers of a responder: their content, their receivers and their times (RFC 6762 §5.4, §6, §7).
@Suite struct AnsweringTests {
    static let kitchen = "Kitchen._openclaw._tcp.local"

    @Test func aTypeIsAnsweredAfter20To120MillisecondsWithAllThatIsWantedNext() throws {
        var delays: Set<Duration> = []
        for seed in 1...30 {
            var bench = ResponderBench(seed: UInt64(seed))
            _ = try bench.establish()
            let asked = bench.time
            try bench.ask(ResponderBench.typeName, .ptr)
            #expect(bench.sent.isEmpty)
            bench.advance(by: .seconds(2))
            try #require(bench.multicasts.count == 1)
            let answer = bench.multicasts[0]
            delays.insert(answer.time - asked)
            try #expect(answer.message.answers == [Samples.ptr(ResponderBench.typeName, Self.kitchen)])
            // This host has no IPv6 address there, and says so (§6.2).
            #expect(Set(answer.message.additionals.map(\.type)) == [.srv, .txt, .a, .nsec])
        }
        #expect(delays.allSatisfy { (.milliseconds(20)...(.milliseconds(120))).contains($0) })
        #expect(delays.count > 15)
    }

    @Test func uniqueRecordsAreAnsweredAtOnce() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        try bench.ask(Self.kitchen, .srv)
        try #require(bench.multicasts.count == 1)
        #expect(bench.multicasts[0].time == bench.time)
        try #expect(bench.multicasts[0].message.answers == [Samples.srv(port: 3_000)])
        #expect(bench.multicasts[0].message.additionals.contains { $0.type == .a })
    }

    @Test func aRecordIsMulticastOnceASecondAtMost() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        for _ in 0..<50 {
            try bench.ask(Self.kitchen, .srv)
            bench.advance(by: .milliseconds(60))
        }
        bench.advance(by: .seconds(3))
        let times = bench.multicasts.filter { $0.message.answers.contains { $0.type == .srv } }.map(\.time)
        #expect(zip(times.dropFirst(), times).allSatisfy { $0 - $1 >= .seconds(1) })
        #expect((3...5).contains(times.count), "every querier receives the record within the next second")
    }

    @Test func answersToQuestionsThatComeTogetherShareAPacket() throws {
        var bench = ResponderBench()
        for index in 0..<3 { _ = try bench.publish("Room \(index)", port: UInt16(index + 1)) }
        bench.advance(by: .seconds(5))
        bench.sent = []
        try bench.ask(ResponderBench.typeName, .ptr)
        try bench.ask("_services._dns-sd._udp.local", .ptr, from: "10.0.0.8")
        bench.advance(by: .seconds(1))
        #expect(bench.multicasts.count == 1)
        #expect(bench.multicasts.first?.message.answers.count == 4)
    }

    @Test func knownAnswersAreNotRepeatedWhileHalfOfTheirTimeIsLeft() throws {
        for (ttl, count) in [(UInt32(4_500), 0), (2_250, 0), (2_249, 1)] {
            var bench = ResponderBench()
            _ = try bench.establish()
            let known = try Samples.ptr(ResponderBench.typeName, Self.kitchen, ttl: ttl)
            try bench.ask(ResponderBench.typeName, .ptr, known: [known])
            bench.advance(by: .seconds(1))
            #expect(bench.multicasts.count == count, "TTL \(ttl)")
        }
    }

    @Test func moreKnownAnswersAreWaitedForAfterTC() throws {
        var bench = ResponderBench()
        _ = try bench.publish("A", port: 1)
        _ = try bench.publish("B", port: 2)
        bench.advance(by: .seconds(5))
        bench.sent = []
        let asked = bench.time
        try bench.ask(ResponderBench.typeName, .ptr, truncated: true)
        bench.advance(by: .milliseconds(100))
        #expect(bench.sent.isEmpty)
        var rest = DNSMessage(answers: [try Samples.ptr(ResponderBench.typeName, "A.\(ResponderBench.typeName)")])
        rest.flags.isTruncated = true
        bench.receive(rest)
        // Known answers of another host do not apply to this question.
        bench.receive(
            DNSMessage(answers: [try Samples.ptr(ResponderBench.typeName, "B.\(ResponderBench.typeName)")]),
            from: "10.0.0.8"
        )
        bench.advance(by: .seconds(2))
        try #require(bench.multicasts.count == 1)
        let delay = bench.multicasts[0].time - asked
        #expect((.milliseconds(500)...(.milliseconds(600))).contains(delay), "400–500 ms after the last TC bit")
        let expected = try Samples.ptr(ResponderBench.typeName, "B.\(ResponderBench.typeName)")
        #expect(bench.multicasts[0].message.answers == [expected])
    }

    @Test func anAnswerThatAnotherGaveIsNotGivenAgain() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        try bench.ask("_services._dns-sd._udp.local", .ptr)
        bench.receive(Samples.response(try Samples.ptr("_services._dns-sd._udp.local", ResponderBench.typeName)))
        bench.advance(by: .seconds(2))
        #expect(bench.multicasts.isEmpty)
    }

    @Test func goodbyeOfAnotherResponderIsContradicted() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        // Another process of this host ends, and sends a goodbye for the host's address (§6.6).
        bench.receive(Samples.response(try Samples.a("alpha.local", 0x0A00_0001, ttl: 0)), from: "10.0.0.1")
        bench.advance(by: .seconds(1))
        try #require(bench.multicasts.count == 1)
        try #expect(bench.multicasts[0].message.answers == [Samples.a("alpha.local", 0x0A00_0001)])
    }

    @Test func absentRecordsAreDenied() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        try bench.ask("alpha.local", .aaaa)
        try bench.ask(Self.kitchen, .a)
        let denials = bench.multicasts.flatMap(\.message.answers)
        try #require(denials.count == 2)
        guard case .nsec(let host) = denials[0].data, case .nsec(let instance) = denials[1].data else {
            Issue.record("\(denials)")
            return
        }
        #expect(host.types == [.a] && host.nextName == denials[0].name)
        #expect(instance.types == [.txt, .srv])
        #expect(denials.allSatisfy { $0.isCacheFlush })
    }

    @Test func namesThatAreNotOursAreNotAnswered() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        try bench.ask("beta.local", .a)
        try bench.ask("_http._tcp.local", .ptr)
        try bench.ask(ResponderBench.typeName, .srv)
        var chaos = DNSQuestion(name: try Samples.name("alpha.local"), type: .a)
        chaos.dnsClass = DNSClass(rawValue: 3)
        bench.receive(DNSMessage(questions: [chaos]))
        bench.advance(by: .seconds(2))
        #expect(bench.sent.isEmpty)
    }

    @Test func anyMeansEverything() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        try bench.ask(Self.kitchen.uppercased(), .any)
        #expect(Set(bench.multicasts.flatMap(\.message.answers).map(\.type)) == [.srv, .txt])
    }

    @Test func typesSubtypesAndAddressesAreFound() throws {
        var bench = ResponderBench()
        let type = ServiceType(checkedName: "openclaw", transport: .tcp, subtypes: ["_home"])
        _ = try bench.publish(type: type)
        bench.advance(by: .seconds(5))
        bench.sent = []
        try bench.ask("_services._dns-sd._udp.local", .ptr)
        try bench.ask("_home._sub._openclaw._tcp.local", .ptr)
        bench.advance(by: .seconds(1))
        let targets = bench.multicasts.flatMap(\.message.answers).compactMap { record -> String? in
            if case .ptr(let target) = record.data { target.escaped } else { nil }
        }
        #expect(Set(targets) == [ResponderBench.typeName, Self.kitchen])
    }

    /// Questions for the reverse names of addresses are not answered: another responder of this host may use another
    /// host name, and would regard our answer as a conflict.
    @Test func reverseNamesAreNotAnswered() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        try bench.ask("1.0.0.10.in-addr.arpa", .ptr)
        try bench.ask("1.0.0.10.in-addr.arpa", .any)
        bench.advance(by: .seconds(1))
        #expect(bench.multicasts.isEmpty)
    }

    /// A question with the QU bit is answered by unicast only if the record was multicast recently, within a quarter of
    /// its TTL (RFC 6762 §5.4).
    @Test func whoWantsUnicastGetsItIfAllHaveHeardItLately() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        try bench.ask(Self.kitchen, .srv, unicast: true)
        try #require(bench.unicasts.count == 1)
        #expect(bench.unicasts[0].target == ResponderBench.socket("10.0.0.9"))
        #expect(bench.multicasts.isEmpty)
        // After a quarter of the TTL of 120 s, the answer is multicast again, so that other hosts receive it as well
        // (§5.4).
        bench.advance(by: .seconds(31))
        try bench.ask(Self.kitchen, .srv, unicast: true)
        #expect(bench.unicasts.count == 1)
        #expect(bench.multicasts.count == 1)
    }

    @Test func newTextIsAnnouncedAtOnceAndRepeated() throws {
        var bench = ResponderBench()
        let id = try bench.establish()
        let changed = bench.time
        bench.responder.update(id, text: try TXTRecord([("v", "2")]), now: bench.now)
        bench.turn()
        bench.advance(by: .seconds(10))
        #expect(bench.multicasts.map { $0.time - changed } == [.zero, .seconds(1)])
        #expect(bench.multicasts.allSatisfy { $0.message.answers.map(\.data) == [.txt([3] + "v=2".utf8)] })
        #expect(bench.multicasts.allSatisfy { $0.message.answers.allSatisfy { $0.isCacheFlush } })
        #expect(bench.probes.isEmpty)
    }

    @Test func textThatChangesAllTheTimeIsAnnouncedTenTimesAMinute() throws {
        var bench = ResponderBench()
        let id = try bench.establish()
        for index in 0..<100 {
            bench.responder.update(id, text: try TXTRecord([("v", "n\(index)")]), now: bench.now)
            bench.turn()
            bench.advance(by: .milliseconds(100))
        }
        #expect(bench.multicasts.count <= 11)
        bench.advance(by: .seconds(120))
        #expect(bench.multicasts.last?.message.answers.first?.data == .txt([5] + "v=n99".utf8), "the latest text")
    }

    @Test func goodbyeTakesBackWhatNothingElseHereHas() throws {
        var bench = ResponderBench()
        let first = try bench.publish("A", port: 1)
        let second = try bench.publish("B", port: 2)
        bench.advance(by: .seconds(5))
        bench.sent = []
        bench.responder.withdraw(first, now: bench.now)
        bench.turn()
        var records = bench.multicasts.flatMap(\.message.answers)
        #expect(records.allSatisfy { $0.ttl == 0 })
        #expect(Set(records.map(\.type)) == [.ptr, .srv, .txt])
        #expect(!records.contains { $0.name == LocalNames.types }, "B still needs the record that lists the type")
        bench.sent = []
        bench.responder.withdraw(second, now: bench.now)
        bench.turn()
        records = bench.multicasts.flatMap(\.message.answers)
        #expect(records.allSatisfy { $0.ttl == 0 })
        #expect(records.contains { $0.name == LocalNames.types })
        #expect(records.contains { $0.type == .a })
        #expect(bench.states.suffix(2) == [.withdrawn, .withdrawn])
        #expect(bench.responder.deadline == nil)
        try bench.ask(ResponderBench.typeName, .ptr)
        bench.advance(by: .seconds(1))
        #expect(bench.multicasts.count == 1)
    }

    @Test func whatWasNotAnnouncedNeedsNoGoodbye() throws {
        var bench = ResponderBench()
        let id = try bench.publish()
        bench.advance(by: .milliseconds(500))
        bench.responder.withdraw(id, now: bench.now)
        bench.turn()
        #expect(bench.multicasts.isEmpty)
        #expect(bench.states.last == .withdrawn)
    }

    @Test func aPublicationThatMovesFallsSilent() throws {
        var bench = ResponderBench()
        let id = try bench.establish()
        try bench.ask(ResponderBench.typeName, .ptr)
        let states = bench.states
        bench.responder.stopSilently(id, now: bench.now)
        bench.turn()
        try bench.ask(Self.kitchen, .srv)
        bench.receive(Samples.probe(try Samples.srv(port: 3_000)), from: "10.0.0.1")
        bench.advance(by: .seconds(10))
        #expect(bench.sent.isEmpty, "the daemon of this host takes over the name")
        #expect(bench.states == states)
    }
}
