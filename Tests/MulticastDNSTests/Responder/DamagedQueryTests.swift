import DNSSD
import Testing

@testable import Discovery

/// Queries and probes of which one record cannot be read.
@Suite struct DamagedQueryTests {
    /// Returns a packet whose last record ends too early.
    private func damaged(_ message: DNSMessage) throws -> DNSReceivedMessage {
        let received = try DNSReceivedMessage(decoding: message.encoded(compression: .none).bytes.dropLast(1) + [])
        try #require(!received.isComplete)
        return received
    }

    /// A known answer that cannot be read is not known, and the question is answered.
    @Test func aQueryWithABadKnownAnswerIsAnswered() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        let type = try Samples.name(ResponderBench.typeName)
        var query = DNSMessage(questions: [DNSQuestion(name: type, type: .ptr)])
        query.answers = [try Samples.ptr(ResponderBench.typeName, "Kitchen.\(ResponderBench.typeName)")]
        bench.receive(try damaged(query))
        bench.advance(by: .milliseconds(500))
        #expect(bench.multicasts.flatMap(\.message.answers).map(\.name) == [type])
    }

    /// An established name is defended against a probe that cannot be read completely.
    @Test func aProbeWithABadClaimIsAnswered() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        bench.receive(try damaged(Samples.probe(try Samples.srv(port: 9), try Samples.txt("v=2"))))
        bench.advance(by: .milliseconds(500))
        #expect(!bench.multicasts.isEmpty)
        #expect(bench.states.last == .published(name: "Kitchen"))
    }

    /// Claims can only be compared as a whole (RFC 6762 §8.2): from a part of one, no tie is lost.
    @Test func aProbeWithABadClaimBreaksNoTie() throws {
        func conflicts(_ received: DNSReceivedMessage) throws -> Int {
            var bench = ResponderBench()
            _ = try bench.publish(port: 3_000)
            bench.advance(by: .milliseconds(300))
            bench.receive(received)
            bench.advance(by: .seconds(5))
            return bench.responder.counters.conflicts
        }
        let probe = Samples.probe(try Samples.srv(port: 3_001), try Samples.txt("v=1"))
        #expect(try conflicts(DNSReceivedMessage(probe)) == 1)
        #expect(try conflicts(try damaged(probe)) == 0)
    }
}
