import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// Answers to legacy queries, which come from a port other than 5353 (RFC 6762 §6.7).
@Suite struct LegacyAnswerTests {
    @Test func theAnswerIsAtOnceForTheAskerAndHoldsEverything() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        try bench.ask(ResponderBench.typeName, .ptr, id: 4_711, port: 40_000)
        try #require(bench.sent.count == 1)
        let answer = bench.sent[0]
        #expect(answer.target == ResponderBench.socket("10.0.0.9", port: 40_000))
        #expect(answer.time == bench.time)
        #expect(answer.message.id == 4_711)
        #expect(answer.message.questions.map(\.name.escaped) == [ResponderBench.typeName])
        #expect(Set(answer.message.additionals.map(\.type)) == [.srv, .txt, .a, .nsec])
        for record in answer.message.answers + answer.message.additionals {
            #expect(record.ttl <= 10)
            #expect(!record.isCacheFlush)
        }
        bench.advance(by: .seconds(2))
        #expect(bench.sent.count == 1, "the answer is not multicast as well")
    }

    @Test func aHundredServicesComeCompleteInPacketsOfTheLink() throws {
        var bench = ResponderBench()
        for index in 0..<100 { _ = try bench.publish("Room \(index)", port: UInt16(3_000 + index)) }
        bench.advance(by: .seconds(5))
        bench.sent = []
        try bench.ask(ResponderBench.typeName, .ptr, id: 1, port: 40_000)
        #expect(bench.sent.allSatisfy { $0.size <= 1_472 })
        #expect((5...14).contains(bench.sent.count), "\(bench.sent.count) packets")
        #expect(bench.sent.allSatisfy { $0.message.id == 1 && $0.message.questions.count == 1 })
        let records = bench.sent.flatMap { $0.message.answers + $0.message.additionals }
        #expect(Set(records.filter { $0.type == .ptr }.map(\.data)).count == 100)
        #expect(Set(records.filter { $0.type == .srv }.map(\.name)).count == 100)
        #expect(Set(records.filter { $0.type == .txt }.map(\.name)).count == 100)
        for packet in bench.sent {
            #expect(packet.message.additionals.contains { $0.type == .a }, "each packet contains the host's address")
        }
    }

    @Test func packetsKeepToTheEDNSPayloadSize() throws {
        var bench = ResponderBench()
        for index in 0..<20 { _ = try bench.publish("Room \(index)", port: UInt16(3_000 + index)) }
        bench.advance(by: .seconds(5))
        for (offered, limit) in [(UInt16(100), 512), (512, 512), (1_232, 1_232), (65_535, 1_472)] {
            bench.sent = []
            var query = DNSMessage(id: 9, additionals: [.opt(payloadSize: offered)])
            query.questions = [DNSQuestion(name: try Samples.name(ResponderBench.typeName), type: .ptr)]
            bench.receive(query, port: 40_000)
            #expect(!bench.sent.isEmpty)
            #expect(bench.sent.allSatisfy { $0.size <= limit }, "\(offered)")
        }
    }

    @Test func knownAnswersAreLeftOut() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        let known = try Samples.ptr(ResponderBench.typeName, "Kitchen.\(ResponderBench.typeName)")
        try bench.ask(ResponderBench.typeName, .ptr, known: [known], id: 1, port: 40_000)
        #expect(bench.sent.isEmpty)
    }

    @Test func packetsFromOffTheLinkAreIgnored() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        try bench.ask(ResponderBench.typeName, .ptr, from: "192.0.2.1", port: 40_000)
        try bench.ask(ResponderBench.typeName, .ptr, from: "192.0.2.1")
        bench.receive(Samples.response(try Samples.srv(port: 9)), from: "192.0.2.1")
        bench.advance(by: .seconds(2))
        #expect(bench.sent.isEmpty)
        #expect(bench.responder.counters.offLink == 3)
        #expect(bench.responder.counters.conflicts == 0)
    }

    @Test func aResponseFromAnotherPortIsNone() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        bench.receive(Samples.response(try Samples.srv(port: 9)), port: 40_000)
        bench.advance(by: .seconds(2))
        #expect(bench.sent.isEmpty)
        #expect(bench.responder.counters.conflicts == 0)
    }
}
