import DNSSD
import HostSystem
import TestSupport
import Testing

@testable import Discovery

/// The limits on the work that a responder does for queriers.
@Suite struct ResponderLimitTests {
    @Test func waitingQueriesAndTheirPacketsAreBounded() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        var query = DNSMessage(questions: [DNSQuestion(name: try Samples.name(ResponderBench.typeName), type: .ptr)])
        query.flags.isTruncated = true
        for host in 0..<2_000 {
            let address = "10.0.0.\(host % 200 + 20)"
            bench.receive(query, from: address)
            let other = ResponderPacket(
                received: DNSReceivedMessage(query),
                source: SocketAddress(.v4(IPv4Address(bits: 0xA9FE_0000 + UInt32(host))), port: 5_353),
                path: bench.path
            )
            bench.responder.receive(other, now: bench.now, using: &bench.random)
        }
        #expect(bench.responder.deferred.count == 512)
        #expect(bench.responder.counters.notDeferred > 0)
        for _ in 0..<20 { bench.receive(query, from: "10.0.0.20") }
        bench.advance(by: .seconds(5))
        #expect(bench.responder.deferred.count == 0)
        #expect(bench.multicasts.count <= 5, "all queriers together receive the answer once a second")
    }

    @Test func answersPerAddressAreLimited() throws {
        var limits = ResponderLimits()
        limits.answerBurst = 100
        limits.answersPerSecond = 10
        var bench = ResponderBench(limits: limits)
        _ = try bench.establish()
        for _ in 0..<1_000 { try bench.ask("alpha.local", .a, id: 1, port: 40_000) }
        #expect(bench.unicasts.count == 100)
        #expect(bench.responder.counters.refused == 900)
        #expect(bench.warnings.map(\.code) == [.tooManyQuestions], "one warning for all refused queries")
        try bench.ask("alpha.local", .a, id: 1, from: "10.0.0.8", port: 40_000)
        #expect(bench.unicasts.count == 101)
        bench.advance(by: .seconds(1))
        for _ in 0..<1_000 { try bench.ask("alpha.local", .a, id: 1, port: 40_000) }
        #expect((110...112).contains(bench.unicasts.count))
    }

    @Test func forgedAddressesShareOneAllowance() throws {
        var limits = ResponderLimits()
        limits.answerBurst = 10
        limits.answersPerSecond = 1
        limits.allowances = 50
        var bench = ResponderBench(limits: limits)
        _ = try bench.establish()
        let query = DNSMessage(questions: [DNSQuestion(name: try Samples.name("alpha.local"), type: .a)])
        for host in 0..<5_000 {
            let packet = ResponderPacket(
                received: DNSReceivedMessage(query),
                source: SocketAddress(.v4(IPv4Address(bits: 0xA9FE_0000 + UInt32(host))), port: 40_000),
                path: bench.path
            )
            bench.responder.receive(packet, now: bench.now, using: &bench.random)
        }
        bench.turn()
        #expect(bench.responder.allowances.count == 50)
        #expect(bench.unicasts.count == 60)
        // After the flood, every address gets an allowance of its own again.
        bench.advance(by: .seconds(60))
        bench.sent = []
        for host in 0..<20 { try bench.ask("alpha.local", .a, from: "10.0.0.\(host + 20)", port: 40_000) }
        #expect(bench.unicasts.count == 20)
    }

    @Test func publicationsAreBounded() throws {
        var limits = ResponderLimits()
        limits.publications = 2
        var bench = ResponderBench(limits: limits)
        _ = try bench.publish("A")
        _ = try bench.publish("B")
        #expect(throws: BackendError.self) { _ = try bench.publish("C") }
        #expect(throws: BackendError.self) { _ = try bench.publish("") }
    }

    @Test func whatCannotBePublishedIsRefused() throws {
        var bench = ResponderBench()
        #expect(throws: BackendError.self) { _ = try bench.publish("") }
        #expect(throws: BackendError.self) { _ = try bench.publish(String(repeating: "x", count: 64)) }
        #expect(bench.responder.isIdle)
        #expect(bench.responder.deadline == nil)
    }

    @Test func aRecordThatIsTooLargeForAPacketOfTheLinkGoesAlone() throws {
        var bench = ResponderBench()
        let text = (0..<30).map { index in ("k\(index)", String(repeating: "x", count: 240)) }
        _ = try bench.publish(txt: text)
        bench.advance(by: .seconds(5))
        #expect(bench.states.last == .published(name: "Kitchen"))
        let large = bench.multicasts.filter { $0.size > 1_472 }
        #expect(large.count == 2)
        #expect(large.allSatisfy { $0.size <= 8_952 && $0.message.answers.map(\.type) == [.txt] })
    }
}
