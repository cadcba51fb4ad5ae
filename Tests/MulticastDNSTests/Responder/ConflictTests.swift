import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// Conflicts about a name between two responders (RFC 6762 §8.1, §8.2, §9).
@Suite struct ConflictTests {
    static let kitchen = "Kitchen._openclaw._tcp.local"

    @Test func aNameThatIsTakenIsChangedAndTold() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        bench.receive(Samples.response(try Samples.srv(port: 9, host: "beta.local")))
        bench.advance(by: .seconds(5))
        #expect(
            bench.states == [
                .publishing(waitingFor: nil), .renamed(from: "Kitchen", to: "Kitchen #2"),
                .published(name: "Kitchen #2"),
            ]
        )
        let reported = bench.multicasts.flatMap(\.message.answers).map(\.name.escaped)
        #expect(!reported.contains(Self.kitchen))
        #expect(reported.contains("Kitchen\\032#2._openclaw._tcp.local"))
    }

    @Test func anyRecordOfANameMeansThatItIsTaken() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        let record = DNSRecord(name: try Samples.name(Self.kitchen), ttl: 120, data: .a(0x0A00_0009))
        bench.receive(Samples.response(record))
        bench.advance(by: .seconds(5))
        #expect(bench.states.last == .published(name: "Kitchen #2"))
    }

    @Test func aRecordThatSaysTheSameIsNoConflict() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        bench.receive(Samples.response(try Samples.srv(port: 3_000), try Samples.txt("v=1")))
        bench.advance(by: .seconds(5))
        bench.receive(Samples.response(try Samples.srv(port: 3_000), try Samples.txt("v=1")))
        bench.advance(by: .seconds(5))
        #expect(bench.states.last == .published(name: "Kitchen"))
        #expect(bench.responder.counters.conflicts == 0)
    }

    @Test func aGoodbyeClaimsNothing() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        bench.receive(Samples.response(try Samples.srv(port: 9, ttl: 0)))
        bench.advance(by: .seconds(5))
        #expect(bench.states.last == .published(name: "Kitchen"))
    }

    @Test func lexicographicallyLaterProbeWins() throws {
        var bench = ResponderBench()
        _ = try bench.publish(port: 3_000)
        bench.advance(by: .milliseconds(300))
        let before = bench.probes.count
        // The TXT records are compared first and are equal; the port of the SRV record decides.
        bench.receive(Samples.probe(try Samples.srv(port: 2_999), try Samples.txt("v=1")))
        bench.advance(by: .milliseconds(500))
        #expect(bench.probes.count > before, "the winner continues to probe")
        bench.advance(by: .milliseconds(400))
        #expect(bench.states.last == .published(name: "Kitchen"))
    }

    @Test func loserOfATieProbesAgainAfterASecond() throws {
        var bench = ResponderBench()
        _ = try bench.publish(port: 3_000)
        bench.advance(by: .milliseconds(300))
        let lost = bench.time
        let probesBefore = bench.probes.filter { $0.message.questions.count == 2 }.count
        bench.receive(Samples.probe(try Samples.srv(port: 3_001), try Samples.txt("v=1")))
        bench.advance(by: .seconds(5))
        let again = bench.probes.filter {
            $0.time > lost && $0.message.questions.contains { $0.name.escaped == Self.kitchen }
        }
        #expect(again.map { $0.time - lost } == [.seconds(1), .milliseconds(1_250), .milliseconds(1_500)])
        #expect(probesBefore > 0)
        // Nobody answered: the other probe was a stale packet as described in §8.2, and the name is free.
        #expect(bench.states.last == .published(name: "Kitchen"))
    }

    @Test func theSameClaimIsNoTie() throws {
        var bench = ResponderBench()
        _ = try bench.publish(port: 3_000)
        bench.advance(by: .milliseconds(300))
        bench.receive(Samples.probe(try Samples.srv(port: 3_000), try Samples.txt("v=1")))
        bench.advance(by: .milliseconds(800))
        #expect(bench.states.last == .published(name: "Kitchen"))
    }

    @Test(arguments: [
        // The example of RFC 6762 §8.2: 169.254.99.200 loses to 169.254.200.50, since 99 is less than 200.
        ([UInt32(0xA9FE_63C8)], [UInt32(0xA9FE_C832)], -1),
        ([0xA9FE_C832], [0xA9FE_63C8], 1),
        ([1, 2], [2, 1], 0),
        // §8.2.1: if all records are equal until one list ends, the shorter list loses.
        ([1], [1, 2], -1),
        ([1, 2], [1], 1),
        ([3], [1, 2], 1),
    ])
    func tiesAreBrokenByTheBytes(ours: [UInt32], theirs: [UInt32], expected: Int) throws {
        let order = TieBreak.compare(
            try ours.map { try Samples.a("alpha.local", $0) },
            try theirs.map { try Samples.a("alpha.local", $0, ttl: 7) }
        )
        #expect(order.signum() == expected)
    }

    @Test func typesAreComparedAsUnsignedNumbersBeforeTheirData() throws {
        let text = try Samples.txt("~~~~")
        let location = try Samples.srv(port: 0)
        #expect(TieBreak.compare([text], [location]) < 0, "type 16 (TXT) is less than type 33 (SRV)")
        let high = DNSRecord(name: text.name, ttl: 1, data: .other(DNSRecordType(rawValue: 0xFF00), []))
        #expect(TieBreak.compare([location], [high]) < 0)
    }

    @Test func anEstablishedNameIsDefendedAgainstProbes() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        bench.receive(Samples.probe(try Samples.srv(port: 9_999), try Samples.txt("zzz")))
        let defence = try #require(bench.multicasts.first)
        #expect(defence.time == bench.time, "at once, since the other host waits only for 250 ms")
        #expect(Set(defence.message.answers.map(\.type)) == [.srv, .txt])
        bench.advance(by: .milliseconds(100))
        bench.receive(Samples.probe(try Samples.srv(port: 9_999), try Samples.txt("zzz")))
        bench.advance(by: .milliseconds(150))
        #expect(bench.multicasts.count == 2, "a defence may be repeated after 250 ms (§6)")
        #expect(bench.responder.counters.conflicts == 0)
    }

    @Test func anEstablishedNameIsProbedForAgainWhenAnotherUsesIt() throws {
        var bench = ResponderBench()
        _ = try bench.establish()
        bench.receive(Samples.response(try Samples.srv(port: 9, host: "beta.local")))
        bench.advance(by: .seconds(3))
        #expect(bench.probes.count == 3)
        // The other host does not answer, so its record was stale or forged.
        #expect(bench.states.last == .published(name: "Kitchen"))
        bench.receive(Samples.response(try Samples.srv(port: 9, host: "beta.local")))
        bench.advance(by: .milliseconds(10))
        bench.receive(Samples.response(try Samples.srv(port: 9, host: "beta.local")))
        bench.advance(by: .seconds(3))
        #expect(bench.states.last == .published(name: "Kitchen #2"))
    }

    /// Answers every probe for an instance with a conflicting SRV record, for some time.
    ///
    /// - Returns: The number of probes.
    private func claimEverything(_ bench: inout ResponderBench, for time: Duration) throws -> Int {
        let end = bench.time + time
        var count = 0
        while bench.time < end {
            bench.advance(by: .milliseconds(50))
            let probes = bench.probes.filter { $0.message.authorities.contains { $0.type == .srv } }
            bench.sent = []
            count += probes.count
            for name in Set(probes.flatMap(\.message.questions).map(\.name)) where name.escaped.hasPrefix("Kitchen") {
                bench.receive(Samples.response(try Samples.srv(name.escaped, port: 9)))
            }
        }
        return count
    }

    /// A host that claims every name slows the publication down, but does not end it, and the delay is reported once
    /// (RFC 6762 §8.1).
    @Test func whoClaimsEveryNameDoesNotSilenceItForGood() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        _ = try claimEverything(&bench, for: .seconds(60))
        #expect(bench.states.last == .publishing(waitingFor: .namesTaken("Kitchen")))
        let before = bench.states.count
        let count = try claimEverything(&bench, for: .seconds(3_600))
        #expect(bench.states.count == before, "the delay is reported only once")
        #expect((700...760).contains(count), "one attempt every 5 s: \(count)")
        bench.advance(by: .seconds(10))
        guard case .published(let name) = bench.states.last else {
            Issue.record("\(bench.states.suffix(3))")
            return
        }
        #expect(name.hasPrefix("Kitchen #"))
        // Nobody uses the requested name any more: it is taken back after a minute, and the present one stays until
        // then.
        let renamed = bench.time
        bench.sent = []
        bench.advance(by: .seconds(50))
        #expect(bench.states.last == .published(name: name))
        bench.advance(by: .seconds(30))
        #expect(bench.states.last == .published(name: "Kitchen"))
        let gone = bench.multicasts.first { $0.message.answers.contains { $0.ttl == 0 && $0.type == .srv } }
        let come = bench.multicasts.first {
            $0.message.answers.contains { $0.type == .srv && $0.name.escaped == Self.kitchen }
        }
        #expect(try #require(come).time <= (try #require(gone)).time)
        #expect(try #require(gone).time - renamed < .seconds(80))
        bench.advance(by: .seconds(100))
        #expect(bench.responder.deadline == nil, "the search for the requested name has ended")
    }

    @Test func theWantedNameIsNotTakenFromWhoHasIt() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        bench.receive(Samples.response(try Samples.srv(port: 9, host: "beta.local")))
        bench.advance(by: .seconds(5))
        #expect(bench.states.last == .published(name: "Kitchen #2"))
        bench.sent = []
        for _ in 0..<60 {
            bench.advance(by: .seconds(10))
            let asked = bench.probes.contains { $0.message.authorities.isEmpty }
            if asked { bench.receive(Samples.response(try Samples.srv(port: 9, host: "beta.local"))) }
            #expect(!bench.probes.contains { !$0.message.authorities.isEmpty }, "the name is not claimed")
            bench.sent = []
        }
        #expect(bench.states.last == .published(name: "Kitchen #2"))
        // The owner leaves, and returns when we are about to claim the name.
        while bench.probes.allSatisfy({ $0.message.authorities.isEmpty }) { bench.advance(by: .milliseconds(100)) }
        bench.receive(Samples.response(try Samples.srv(port: 9, host: "beta.local")))
        bench.sent = []
        bench.advance(by: .seconds(590))
        #expect(!bench.probes.contains { !$0.message.authorities.isEmpty }, "one look-up every ten minutes")
        bench.advance(by: .seconds(70))
        #expect(bench.states.last == .published(name: "Kitchen"))
        let renames = bench.states.filter { if case .renamed = $0 { true } else { false } }
        #expect(renames.count == 1)
    }

    @Test func afterFifteenConflictsInTenSecondsTheNextTryWaitsForFive() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        for number in 1...15 {
            let name = number == 1 ? Self.kitchen : "Kitchen\\032#\(number)._openclaw._tcp.local"
            bench.receive(Samples.response(try Samples.srv(name, port: 9, host: "beta.local")))
        }
        let from = bench.time
        bench.sent = []
        bench.advance(by: .seconds(10))
        let last = try Samples.name("Kitchen\\032#16._openclaw._tcp.local")
        let probe = try #require(bench.probes.first { $0.message.questions.contains { $0.name == last } })
        #expect(probe.time - from == .seconds(5))
        #expect(bench.states.contains(.publishing(waitingFor: .namesTaken("Kitchen"))))
    }

    /// Two hosts that probe for one name meet with each probe and on every path: that is one conflict, and not a sign
    /// that every name is taken.
    @Test func probesOfOneHostAreOneConflict() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        let from = bench.time
        bench.sent = []
        for _ in 0..<20 {
            bench.receive(Samples.probe(try Samples.srv(port: 9_999), try Samples.txt("v=1")))
            bench.advance(by: .milliseconds(40))
        }
        bench.advance(by: .seconds(5))
        #expect(bench.responder.counters.conflicts == 1)
        let probe = try #require(
            bench.probes.first { $0.message.questions.contains { $0.name.escaped == Self.kitchen } }
        )
        #expect(probe.time - from == .seconds(1), "the wait of RFC 6762 §8.2 does not begin again")
        #expect(bench.states == [.publishing(waitingFor: nil), .published(name: "Kitchen")])
    }

    /// Who wins a name that only replaces the requested one has it: the next is as good, and comes at once.
    @Test func aReplacementIsNotFoughtFor() throws {
        var bench = ResponderBench()
        _ = try bench.publish()
        bench.advance(by: .milliseconds(300))
        bench.receive(Samples.response(try Samples.srv(port: 9, host: "beta.local")))
        bench.advance(by: .milliseconds(20))
        let second = "Kitchen\\032#2._openclaw._tcp.local"
        bench.receive(Samples.probe(try Samples.srv(second, port: 9_999), try Samples.txt("v=1", of: second)))
        bench.advance(by: .milliseconds(800))
        #expect(bench.states.last == .published(name: "Kitchen #3"))
    }

    @Test func twoPublicationsOfOneProcessDoNotGetOneName() throws {
        var bench = ResponderBench()
        _ = try bench.publish(port: 1)
        _ = try bench.publish(port: 2)
        _ = try bench.publish(port: 3)
        bench.advance(by: .seconds(5))
        let names = bench.states.compactMap { if case .published(let name) = $0 { name } else { nil } }
        #expect(Set(names) == ["Kitchen", "Kitchen #2", "Kitchen #3"])
    }

    @Test func ourOwnPacketsAreNoConflict() throws {
        var bench = ResponderBench()
        let id = try bench.establish()
        let old = Samples.response(try Samples.srv(port: 3_000), try Samples.txt("v=1"))
        bench.responder.update(id, text: try TXTRecord([("v", "2")]), now: bench.now)
        bench.turn()
        bench.receive(old, from: "10.0.0.1")
        bench.advance(by: .seconds(3))
        #expect(bench.responder.counters.conflicts == 0)
        // The same records from another host are a conflict: only packets of this host may repeat our former records.
        bench.receive(old, from: "10.0.0.2")
        #expect(bench.responder.counters.conflicts == 1)
    }
}
