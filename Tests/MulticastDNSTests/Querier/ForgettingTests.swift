import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The end of a browse: the querier keeps no state for it and asks nothing more.
@Suite struct QuerierForgettingTests {
    private static func anyResponse(_ random: inout SeededGenerator) throws -> DNSMessage {
        let name = "S\(random.next() % 6)"
        let host = "h\(random.next() % 4)"
        let port = UInt16(3_000 + random.next() % 2)
        switch random.next() % 8 {
        case 0: return Responses.response(try Responses.ptr(name))
        case 1: return Responses.response(try Responses.ptr(name, ttl: 0))
        case 2: return Responses.response(try Responses.srv(name, host: host, port: port))
        case 3: return Responses.response(try Responses.txt(name, "v=\(random.next() % 3)"))
        case 4: return Responses.response(try Responses.a(host, UInt32(random.next() % 3)), try Responses.aaaa(host))
        default: return try Responses.whole(name, host: host, port: port)
        }
    }

    /// No instance, host, record, question or timer remains after the last browse has ended, whatever was received
    /// before.
    @Test func nothingIsLeftOfABrowseThatHasEnded() throws {
        var random = SeededGenerator.forFuzzing("QuerierForgettingTests")
        for round in 0..<TestCases.count(20) {
            var link = QuerierHarness(seed: random.next())
            var counts = InstanceCounts()
            try link.browse("_openclaw._tcp")
            try link.browse("_openclaw._tcp", "_http._tcp", id: 2)
            for _ in 0..<40 {
                link.receive(try Self.anyResponse(&random), from: "10.0.0.\(2 + random.next() % 3)")
                if random.next() % 4 == 0 { link.advance(by: .milliseconds(Int(random.next() % 20_000))) }
                if random.next() % 8 == 0 { try link.reconfirm("S\(random.next() % 6)") }
            }
            link.endBrowse(2)
            #expect(!link.querier.isIdle)
            link.endBrowse()
            let querier = link.querier
            #expect(querier.isIdle && querier.instances.isEmpty && querier.hosts.isEmpty, "round \(round)")
            #expect(querier.cache.count == 0 && querier.cache.bytes == 0, "round \(round)")
            #expect(querier.questions.isEmpty && querier.ledger.highestCount == 0, "round \(round)")
            counts.apply(link.turnover())
            #expect(counts.count == 0 && link.turnover().isEmpty, "round \(round)")
            // Packets that were already queued may still be sent.
            link.advance(by: .milliseconds(100))
            _ = (link.takeSent(), link.takeEvents())
            link.advance(by: .seconds(7_200))
            #expect(link.takeSent().isEmpty && link.takeEvents().isEmpty && link.querier.deadline == nil)
        }
    }

    /// A browse that continues is not affected when another browse for the same type ends: it gets no event, keeps its
    /// instances, and receives later goodbyes.
    @Test func anotherBrowseGoesOn() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp", id: 2)
        try link.browse("_openclaw._tcp")
        link.receive(try Responses.whole("Foo"))
        #expect(link.takeEvents().map(\.listeners) == [[1, 2]], "sorted by browse ID")
        link.endBrowse(2)
        #expect(link.takeEvents().isEmpty)
        link.receive(Responses.response(try Responses.ptr("Foo", ttl: 0)))
        link.advance(by: .seconds(2))
        #expect(link.takeEvents().map(\.listeners) == [[1]])
    }
}

extension QuerierEvent {
    /// The numbers of the browses that receive the event.
    fileprivate var listeners: [Int] {
        switch self {
        case .sighted(_, let ids), .vanished(_, _, _, let ids): ids.map(\.rawValue)
        case .warning: []
        }
    }
}
