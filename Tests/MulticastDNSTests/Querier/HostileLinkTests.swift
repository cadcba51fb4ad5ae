import DNSSD
import DNSSamples
import TestSupport
import Testing

@testable import Discovery

/// Protection of the querier against hostile traffic: its limits hold, and real services stay visible.
@Suite struct HostileLinkTests {
    private let limits = QuerierLimits(instances: 200, recordsPerInstance: 4, addressesPerHost: 16, records: 1_000)

    private func address(_ number: Int) -> String { "10.99.\(number / 250).\(number % 250 + 1)" }

    /// The records of 20,000 forged services from one source stay within the limits, and a real service that is
    /// announced among them is resolved and stays.
    @Test func aFloodFromOneSourceHidesNobody() throws {
        var link = QuerierHarness(limits: limits)
        try link.browse("_openclaw._tcp")
        for index in 0..<20_000 {
            link.receive(try Responses.whole("Forged \(index)", host: "h\(index)"), from: "10.66.6.6", turning: false)
            if index == 10_000 { link.receive(try Responses.whole("Real"), from: "10.0.0.2", turning: false) }
            if index.isMultiple(of: 64) { link.turn() }
            if index.isMultiple(of: 5_000) { try expectBounds(link) }
        }
        link.turn()
        try expectBounds(link)
        #expect(link.sighting("Real")?.resolution == .resolved)
        #expect(warnings(of: link) == [.tooManyInstances])
    }

    /// The records of 4,000 forged services from 3,000 sources stay within the limits, and a real service is resolved
    /// each time that it is announced.
    @Test func aFloodFromManySourcesHidesNobody() throws {
        var link = QuerierHarness(limits: limits)
        try link.browse("_openclaw._tcp")
        for index in 0..<4_000 {
            let message = try Responses.whole("Forged \(index)", host: "h\(index)")
            link.receive(message, from: address(index % 3_000), turning: false)
            if index.isMultiple(of: 400) {
                link.receive(try Responses.whole("Real"), from: "10.0.0.2")
                #expect(link.sighting("Real")?.resolution == .resolved)
                try expectBounds(link)
            }
            if index.isMultiple(of: 64) { link.turn() }
        }
        link.turn()
        try expectBounds(link)
        #expect(warnings(of: link) == [.tooManyInstances])
    }

    /// A protected instance, which is known to be alive, is not displaced by a flood of forged ones.
    @Test func whatIsKeptIsNotGivenUp() throws {
        var link = QuerierHarness(limits: limits)
        try link.browse("_openclaw._tcp")
        link.receive(try Responses.whole("Real"), from: "10.0.0.2")
        try link.protect("Real")
        for index in 0..<2_000 {
            let message = try Responses.whole("Forged \(index)", host: "h\(index)")
            link.receive(message, from: address(index % 3_000), turning: false)
            if index.isMultiple(of: 64) { link.turn() }
        }
        #expect(link.sighting("Real")?.resolution == .resolved)
        try expectBounds(link)
    }

    /// An instance that this process publishes, and one that was protected before it was seen, are not displaced by a
    /// flood of forged ones.
    @Test func whatIsOursIsNotGivenUp() throws {
        var link = QuerierHarness(limits: limits)
        try link.browse("_openclaw._tcp")
        try link.protect("Real")
        try link.setOwn("Ours")
        link.receive(try Responses.whole("Real"), from: "10.0.0.2")
        link.receive(try Responses.whole("Ours"), from: "10.0.0.1")
        for index in 0..<2_000 {
            let message = try Responses.whole("Forged \(index)", host: "h\(index)")
            link.receive(message, from: address(index % 3_000), turning: false)
            if index.isMultiple(of: 64) { link.turn() }
        }
        #expect(link.sighting("Real")?.resolution == .resolved)
        #expect(link.sighting("Ours")?.isOurs == true)
        try expectBounds(link)
    }

    /// When there are too many instances on all links together, the source with the most loses its newest ones, until
    /// only protected ones remain.
    @Test func oneIsGivenUpForOtherLinks() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(try Responses.whole("Real"), from: "10.0.0.2")
        for name in ["F1", "F2", "F3"] { link.receive(try Responses.whole(name), from: "10.66.6.6") }
        var given = [link.giveUpOne()]
        #expect(link.sighting("F3") == nil)
        given.append(link.giveUpOne())
        #expect(link.sighting("F2") == nil)
        try link.protect("Real")
        given += [link.giveUpOne(), link.giveUpOne()]
        #expect(given == [true, true, true, false])
        #expect(link.sighting("Real") != nil)
        #expect(warnings(of: link) == [.tooManyInstances])
        var instanceCounts = InstanceCounts()
        instanceCounts.apply(link.turnover())
        #expect(instanceCounts.count == 1)
    }

    /// A forger that adds SRV and address records to a real service displaces only its own records, and the owner's
    /// remain.
    @Test func aForgerDoesNotPushOutTheOwnersRecords() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(try Responses.whole("Real"), from: "10.0.0.2")
        for index in 0..<1_000 {
            link.receive(
                Responses.response(
                    try Responses.a("host", UInt32(index) | 0x0A42_0000, isCacheFlush: false),
                    try Responses.srv("Real", host: "h\(index)", isCacheFlush: false)
                ),
                from: "10.66.6.6"
            )
        }
        let key = RecordKey(try Responses.name("Real._openclaw._tcp.local"), .srv)
        #expect(link.querier.cache.count(of: key) <= 4)
        #expect(link.querier.cache.contains(try Responses.srv("Real").data, for: key))
        #expect(link.querier.cache.count(of: RecordKey(try Responses.name("host.local"), .a)) <= 16)
        #expect(link.querier.hosts.count == 1)
        #expect(warnings(of: link) == [.tooManyRecords], "one warning for all of them")
        #expect(
            link.querier.reports.leftOut == 1_000 - 15 + 1_000 - 3,
            "all records are counted except those that found room"
        )
    }

    /// Questions about forged instances do not use up the budget for questions that refresh known records.
    @Test func refreshesAreAskedDuringAFlood() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.receive(try Responses.whole("Real"))
        for index in 0..<3_000 {
            link.receive(Responses.response(try Responses.ptr("Forged \(index)")), from: "10.66.6.6", turning: false)
        }
        link.advance(by: .seconds(100))
        #expect(link.sent.contains { $0.questions.contains("Real._openclaw._tcp.local SRV") })
        #expect(link.sent.reduce(0) { $0 + $1.message.questions.count } < 4_096 + 100 * 512 + 64)
    }

    /// A service that is announced and withdrawn a thousand times leaves only a limited number of entries in the queue
    /// and in the cache.
    @Test func flappingLeavesNothingBehind() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        for _ in 0..<1_000 {
            link.receive(try Responses.whole("Foo"))
            link.receive(Responses.response(try Responses.ptr("Foo", ttl: 0), try Responses.srv("Foo", ttl: 0)))
            link.advance(by: .milliseconds(1_001))
        }
        #expect(link.querier.queue.count < 1_100)
        #expect(link.querier.cache.count < 8)
    }

    /// The querier keeps to its limits, never traps and stores consistent records, whatever packets arrive.
    @Test func mutatedPacketsKeepTheRules() throws {
        var generator = SeededGenerator.forFuzzing("mutatedPacketsKeepTheRules")
        for round in 0..<10 {
            var link = QuerierHarness(
                seed: UInt64(round),
                limits: QuerierLimits(instances: 8, records: 60, bytes: 20_000)
            )
            try link.browse("_openclaw._tcp", "_http._tcp")
            try link.browse("_openclaw._tcp,_home", id: 2)
            let packets = try samples()
            for _ in 0..<300 {
                guard var bytes = packets.randomElement(using: &generator) else { return }
                if generator.next().isMultiple(of: 3) { bytes = generator.mutate(bytes) }
                let source = "10.0.0.\(generator.next() % 5 + 1)"
                if let received = try? DNSReceivedMessage(decoding: bytes) {
                    link.receive(received, from: source, turning: false)
                }
                switch generator.next() % 8 {
                case 0: link.advance(by: .milliseconds(Int(generator.next() % 30_000)))
                case 1: try link.reconfirm("S\(generator.next() % 12)")
                case 2: link.turn()
                default: break
                }
                try expectBounds(link)
            }
            var instanceCounts = InstanceCounts()
            instanceCounts.apply(link.turnover())
            #expect(instanceCounts.count == link.querier.instances.count)
            link.endBrowse(1)
            link.endBrowse(2)
            #expect(link.querier.cache.count == 0)
            #expect(link.querier.questions.isEmpty)
            #expect(link.querier.ledger.count == 0)
        }
    }

    // MARK: Shared helpers

    private func samples() throws -> [[UInt8]] {
        var messages: [DNSMessage] = []
        for index in 0..<12 {
            messages.append(try Responses.whole("S\(index)", host: "h\(index % 3)", port: UInt16(index)))
            messages.append(Responses.response(try Responses.ptr("S\(index)", ttl: 0)))
            messages.append(Responses.response(try Responses.ptr("S\(index)", type: "_home._sub._openclaw._tcp")))
            messages.append(Responses.response(try Responses.srv("S\(index)", host: "h\(index % 4)", ttl: 3)))
            messages.append(Responses.response(try Responses.a("h\(index % 4)", UInt32(index))))
            messages.append(try Responses.query("S\(index)._openclaw._tcp.local", .srv))
        }
        messages.append(try Responses.query("_openclaw._tcp.local", .ptr))
        messages.append(try Responses.query("_openclaw._tcp.local", .ptr, known: [try Responses.ptr("S1")]))
        return messages.map { $0.encoded(compression: .multicast).bytes }
    }

    private func expectBounds(_ link: QuerierHarness, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let querier = link.querier
        let limits = querier.limits
        let isBounded =
            querier.instances.count <= limits.instances
            // One message can add a few more records of an instance that was admitted.
            && querier.cache.count <= limits.records + 1
            && querier.cache.bytes <= limits.bytes + 9_000
            && querier.hosts.count <= querier.instances.count
            && querier.questions.count <= querier.names.count + 2 * querier.instances.count + 2 * querier.hosts.count
            && querier.queue.count <= 4 * (querier.questions.count + querier.instances.count) + 1_100
            && querier.observations.count <= 1_024
            && querier.ledger.count <= querier.instances.count
            && querier.outbox.count <= 1_024
        try #require(isBounded, sourceLocation: sourceLocation)
        // Each PTR record belongs to an instance, and each host is referred to by an instance.
        let pointers = querier.names.keys.reduce(0) { $0 + querier.cache.count(of: RecordKey($1, .ptr)) }
        let listings = querier.instances.reduce(0) { $0 + $1.value.listings.count }
        try #require(pointers == listings, sourceLocation: sourceLocation)
        let linked = querier.instances.filter { $0.value.host != nil }.count
        try #require(
            querier.hosts.values.reduce(0) { $0 + $1.instances.count } == linked,
            sourceLocation: sourceLocation
        )
    }

    private func warnings(of link: QuerierHarness) -> [BackendWarning.Code] {
        link.events.compactMap { if case .warning(let warning) = $0 { warning.code } else { nil } }
    }
}
