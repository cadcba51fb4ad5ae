import DNSSD
import DNSSamples
import TestSupport
import Testing

@testable import Discovery

/// Protection of the responder against hostile packets: it keeps to its limits and finishes its work, whatever arrives.
@Suite struct ResponderHostilityTests {
    @Test func mutatedPacketsNeitherTrapNorFillIt() throws {
        var random = SeededGenerator.forFuzzing("ResponderHostilityTests")
        for round in 0..<20 {
            var bench = ResponderBench(seed: random.next())
            for index in 0..<3 { _ = try bench.publish("Room \(index)", port: UInt16(3_000 + index)) }
            if round % 2 == 0 { bench.advance(by: .seconds(5)) }
            let seeds = try Self.seeds(bench)
            for step in 0..<1_000 {
                let bytes = random.mutate(seeds[Int(random.next() % UInt64(seeds.count))])
                guard let received = try? DNSReceivedMessage(decoding: bytes) else { continue }
                let address = "10.0.0.\(random.next() % 256)"
                let port: UInt16 = random.next() % 4 == 0 ? 40_000 : 5_353
                bench.receive(received, from: address, port: port)
                if step % 50 == 0 { bench.advance(by: .milliseconds(Int(random.next() % 400))) }
                bench.sent.removeAll { $0.size <= 1_472 }
            }
            #expect(bench.sent.isEmpty, "no packet exceeds the size of the link")
            #expect(bench.responder.deferred.count <= 512)
            #expect(bench.responder.allowances.count <= 512)
            // At most each of our records, and a denial for each name, is waiting to be sent once.
            #expect((bench.responder.paths[bench.path]?.pendingCount ?? 0) <= 40)
            // In this time, publications take back their requested names if nobody has these.
            bench.advance(by: .seconds(300))
            #expect(bench.responder.deadline == bench.responder.lookupDeadline, "all other work has ended")
        }
    }

    /// Returns packets about the responder's own names: responses and probes like its own, questions, and claims.
    private static func seeds(_ bench: ResponderBench) throws -> [[UInt8]] {
        var other = ResponderBench(host: "alpha", address: "10.0.0.2", seed: 5)
        for index in 0..<3 { _ = try other.publish("Room \(index)", port: UInt16(4_000 + index)) }
        other.advance(by: .seconds(3))
        let type = try Samples.name(ResponderBench.typeName)
        let room = try Samples.name("Room 1.\(ResponderBench.typeName)")
        var query = DNSMessage(questions: [
            DNSQuestion(name: type, type: .ptr), DNSQuestion(name: room, type: .any, isUnicastWanted: true),
            DNSQuestion(name: LocalNames.types, type: .ptr),
        ])
        query.answers = [DNSRecord(name: type, ttl: 4_500, data: .ptr(room))]
        var truncated = query
        truncated.flags.isTruncated = true
        return other.sent.map { $0.message.encoded().bytes } + [query.encoded().bytes, truncated.encoded().bytes]
            + [DNSSamples.avahiProbe, DNSSamples.avahiAnnouncement, DNSSamples.avahiService, DNSSamples.avahiQuery]
    }

    @Test func aFloodOfForgedConflictsIsFollowedSlowly() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        for _ in 0..<20_000 {
            bench.receive(Samples.response(try Samples.a("alpha.local", 0x0A00_0009)))
            bench.advance(by: .milliseconds(1))
        }
        // The forged conflicts last for twenty seconds. After the first fifteen names, each further one takes five
        // seconds (§8.1).
        #expect(bench.responder.counters.conflicts <= 25)
        #expect(bench.sent.count <= 120, "\(bench.sent.count) packets")
        bench.advance(by: .seconds(60))
        #expect(bench.states.last == .published(name: "Kitchen"))
        #expect(bench.responder.deadline == nil)
    }
}
