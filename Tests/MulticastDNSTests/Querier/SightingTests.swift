import DNSSD
import TestSupport
import Testing

@testable import Discovery

/// The events that the querier reports, and the lifetimes of records (RFC 6762 §5.2, §10).
@Suite struct SightingTests {
    private func browsing() throws -> QuerierHarness {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(200))
        _ = link.takeSent()
        return link
    }

    /// A packet with all records of a service results in one complete sighting.
    @Test func aWholeServiceIsToldAtOnce() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        let scoped = IPv6Address(bits: 0xFE80 << 112 | 2, scope: QuerierHarness.interface)
        let expected = Sighting(
            instance: try QuerierHarness.instance("Foo"),
            path: QuerierHarness.path,
            source: .embedded,
            resolution: .resolved,
            host: "host.local",
            port: 3_000,
            addresses: [.v4(IPv4Address(bits: 0x0A00_0002)), .v6(scoped)].sorted(),
            txt: try TXTRecord([("fp", "1")]),
            heardFrom: [.v4(IPv4Address(bits: 0x0A00_0002))]
        )
        #expect(link.takeEvents() == [.sighted(expected, [BrowseID(rawValue: 1)])])
        // Repeated records cause no further event.
        link.receive(try Responses.whole("Foo"))
        #expect(link.takeEvents().isEmpty)
    }

    /// A sighting reports the addresses that have sent its present SRV record, and no others.
    @Test func sendersOfSRVRecordAreReported() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"), from: "10.0.0.66")
        #expect(link.sighting("Foo")?.heardFrom.map(\.description) == ["10.0.0.66"])
        _ = link.takeEvents()
        link.receive(try Responses.whole("Foo"), from: "10.0.0.67")
        #expect(link.takeEvents().isEmpty, "a sender that is not an address of the host causes no event")
        link.receive(try Responses.whole("Foo"))
        #expect(link.sighting("Foo")?.heardFrom.map(\.description) == ["10.0.0.66", "10.0.0.67", "10.0.0.2"])
        link.advance(by: .seconds(2))
        // A different SRV record replaces the former one, whose senders have not sent the new one.
        link.receive(try Responses.whole("Foo", port: 4_000), from: "10.0.0.66")
        link.advance(by: .seconds(2))
        #expect(link.sighting("Foo")?.port == 4_000)
        #expect(link.sighting("Foo")?.heardFrom.map(\.description) == ["10.0.0.66"])
    }

    /// The host of a sighting is its domain name with the bytes from the record, escaped like those of the one-shot
    /// query, so that both report the same host.
    @Test func hostIsReportedAsDomainName() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo", host: #"K\195\188che 2\.0"#))
        #expect(link.sighting("Foo")?.host?.escaped == #"Küche\0322\.0.local"#)
    }

    /// Records of names that no browse needs are not stored, so that a flood of them takes no memory.
    @Test func whatNobodyBrowsesForIsNotKept() throws {
        var link = try browsing()
        link.receive(
            Responses.response(
                try Responses.srv("Foo"),
                try Responses.txt("Foo"),
                try Responses.a(),
                DNSRecord(
                    name: try Responses.name("_http._tcp.local"),
                    ttl: 4_500,
                    data: .ptr(try Responses.name("Web._http._tcp.local"))
                )
            )
        )
        #expect(link.querier.cache.count == 0)
        #expect(link.takeEvents().isEmpty)
    }

    /// An instance vanishes one second after its goodbye, neither earlier nor later (RFC 6762 §10.1).
    @Test func aGoodbyeCountsAfterASecond() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.receive(Responses.response(try Responses.ptr("Foo", ttl: 0)))
        link.advance(by: .milliseconds(990))
        #expect(link.sighting("Foo") != nil)
        link.advance(by: .milliseconds(20))
        #expect(link.sighting("Foo") == nil)
        #expect(link.querier.cache.count == 0)
    }

    /// A record that is announced again within a second of its goodbye stays (RFC 6762 §10.1).
    @Test func aGoodbyeCanBeContradicted() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.receive(Responses.response(try Responses.ptr("Foo", ttl: 0)))
        link.advance(by: .milliseconds(500))
        link.receive(Responses.response(try Responses.ptr("Foo")))
        link.advance(by: .seconds(60))
        #expect(link.sighting("Foo") != nil)
    }

    /// A record with the cache-flush bit replaces those that were received more than a second before, one second later
    /// (RFC 6762 §10.2).
    @Test func aChangedRecordReplacesTheOldOne() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(10))
        link.receive(Responses.response(try Responses.txt("Foo", "fp=2"), try Responses.a("host", 0x0A00_0003)))
        // The new TXT record is used at once; the old and the new address are both used for a second.
        #expect(link.sighting("Foo")?.txt?.string(forKey: "fp") == "2")
        #expect(link.sighting("Foo")?.addresses.count == 3)
        link.advance(by: .milliseconds(1_010))
        #expect(link.sighting("Foo")?.addresses.contains(.v4(IPv4Address(bits: 0x0A00_0002))) == false)
        #expect(link.sighting("Foo")?.addresses.count == 2)
        #expect(link.querier.cache.count(of: RecordKey(try Responses.name("Foo._openclaw._tcp.local"), .txt)) == 1)
    }

    /// Records with the cache-flush bit that arrive within a second of each other do not replace each other, since they
    /// may belong to one answer in several packets (RFC 6762 §10.2).
    @Test func recordsOfOneAnswerDoNotReplaceEachOther() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.receive(Responses.response(try Responses.a("host", 0x0A00_0003)))
        link.advance(by: .milliseconds(400))
        link.receive(Responses.response(try Responses.a("host", 0x0A00_0004)))
        link.advance(by: .seconds(3))
        #expect(link.sighting("Foo")?.addresses.count { $0.family == .ipv4 } == 3)
    }

    /// A PTR record with the cache-flush bit, set by mistake or by a forger, does not remove the instances of other
    /// hosts, since PTR records are shared.
    @Test func aPointerReplacesNoOther() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(10))
        var pointer = try Responses.ptr("Bar")
        pointer.isCacheFlush = true
        link.receive(Responses.response(pointer))
        link.advance(by: .seconds(5))
        #expect(link.sighting("Foo") != nil)
    }

    /// Records are asked for at 80, 85, 90 and 95 % of their TTL, plus up to 2 % at random, and expire if nobody
    /// answers (RFC 6762 §5.2). Questions that are due within half a second of each other go out together. A host that
    /// crashed is therefore lost about 130 s after it was last heard, not after 75 minutes.
    @Test(arguments: 1...10) func recordsAreRefreshedAndThenGo(seed: UInt64) throws {
        var link = QuerierHarness(seed: seed)
        try link.browse("_openclaw._tcp")
        link.advance(by: .milliseconds(200))
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(119))
        let times = link.sent.filter { $0.questions.contains("Foo._openclaw._tcp.local SRV") }
            .map { ($0.time - .milliseconds(200)) / .seconds(1.2) }
        #expect(times.count == 4)
        for (time, percent) in zip(times, [80.0, 85, 90, 95]) { #expect((percent...(percent + 2.5)).contains(time)) }
        #expect(link.sighting("Foo") != nil)
        link.advance(by: .seconds(13))
        #expect(link.sighting("Foo") == nil)
        #expect(link.querier.cache.count == 0)
    }

    /// A hundred services that answer the questions that refresh their records stay resolved for an hour, without
    /// further events.
    @Test func answeredRefreshesKeepServices() throws {
        var link = try browsing()
        for index in 0..<100 { link.receive(try Responses.whole("S\(index)"), turning: false) }
        link.turn()
        for _ in 0..<3_600 {
            link.advance(by: .seconds(1))
            let questions = Set(link.takeSent().flatMap(\.questions))
            for index in 0..<100 where questions.contains("S\(index)._openclaw._tcp.local SRV") {
                link.receive(Responses.response(try Responses.srv("S\(index)")), turning: false)
            }
            if questions.contains("host.local A") { link.receive(Responses.response(try Responses.a())) }
            if questions.contains("host.local AAAA") { link.receive(Responses.response(try Responses.aaaa())) }
        }
        for index in 0..<100 { #expect(link.sighting("S\(index)")?.resolution == .resolved) }
        #expect(link.events.count == 100)
    }

    /// An instance whose service does not answer is put in doubt, asked for twice, and lost after ten seconds without
    /// an answer (RFC 6762 §10.4); it is no known answer meanwhile, and other instances are not affected.
    @Test func silentInstanceExpiresAfterReconfirmation() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.receive(try Responses.whole("Bar", host: "bar"))
        link.advance(by: .seconds(70))
        _ = link.takeSent()
        let began = link.now
        try link.reconfirm("Foo")
        link.advance(by: .seconds(9))
        #expect(link.sent.count { $0.questions.contains("Foo._openclaw._tcp.local SRV") } == 2)
        #expect(link.sent.contains { $0.questions.contains("_openclaw._tcp.local PTR") })
        #expect(
            link.sent.allSatisfy {
                $0.message.answers.allSatisfy {
                    $0.data != .ptr((try? Responses.name("Foo._openclaw._tcp.local")) ?? .root)
                }
            }
        )
        #expect(link.sighting("Foo") != nil)
        link.advance(by: .milliseconds(1_010))
        #expect(link.now - began < .seconds(10.1))
        #expect(link.sighting("Foo") == nil)
        #expect(link.sighting("Bar") != nil)
    }

    /// Only an instance that was withdrawn has gone for other paths too: not one that was given up here for lack of room,
    /// and not those of a browse that has ended.
    @Test func onlyWithdrawnInstancesHaveGone() throws {
        var link = try browsing()
        for name in ["Foo", "Bar", "Baz"] { link.receive(try Responses.whole(name)) }
        let isGivenUp = link.giveUpOne()
        #expect(isGivenUp)
        let goneForRoom = link.gone()
        #expect(goneForRoom.isEmpty)
        let kept = try #require(["Foo", "Bar", "Baz"].first { link.sighting($0) != nil })
        link.receive(Responses.response(try Responses.ptr(kept, ttl: 0)))
        link.advance(by: .seconds(2))
        let gone = link.gone()
        #expect(gone == [try QuerierHarness.instance(kept)])
        link.endBrowse()
        let goneAtTheEnd = link.gone()
        #expect(goneAtTheEnd.isEmpty)
    }

    /// An instance that is lost on another path is asked for here, since its goodbye may have been lost on this path
    /// (RFC 6762 §10.4).
    @Test(arguments: [false, true]) func goodbyeOnOtherPathTriggersReconfirmation(answers: Bool) throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(70))
        _ = link.takeSent()
        try link.noteGoneElsewhere("Foo")
        link.advance(by: .seconds(1))
        #expect(link.sent.flatMap(\.questions) == ["_openclaw._tcp.local PTR"])
        if answers { link.receive(Responses.response(try Responses.ptr("Foo"))) }
        link.advance(by: .seconds(9.2))
        #expect((link.sighting("Foo") != nil) == answers)
    }

    /// An instance that is lost on another path causes no question here if its goodbye has arrived here as well, which
    /// is the usual case.
    @Test func goodbyeOnBothPathsTriggersNoQuestion() throws {
        func sent(isNoted: Bool) throws -> [QuerierHarness.Sent] {
            var link = try browsing()
            link.receive(try Responses.whole("Foo"))
            link.advance(by: .seconds(70))
            link.receive(Responses.response(try Responses.ptr("Foo", ttl: 0)))
            for _ in 1...2 {
                if isNoted { try link.noteGoneElsewhere("Foo") }
                link.advance(by: .seconds(2))
                #expect(link.sighting("Foo") == nil)
            }
            link.advance(by: .seconds(20))
            return link.takeSent()
        }
        #expect(try sent(isNoted: true).map(\.time) == sent(isNoted: false).map(\.time))
    }

    /// Whenever an instance is reconfirmed, a second is between two questions for the same name (RFC 6762 §5.2), whether they
    /// are of the schedule or refresh a record, and no question of the schedule is lost.
    @Test func reconfirmationKeepsTheSecondBetweenQuestions() throws {
        for delay in stride(from: 200, to: 10_000, by: 50) {
            var link = try browsing()
            link.receive(try Responses.whole("Foo"))
            link.advance(by: .milliseconds(delay))
            try link.reconfirm("Foo")
            link.advance(by: .seconds(60))
            let times = link.takeSent().filter { $0.questions.contains("_openclaw._tcp.local PTR") }.map(\.time)
            for (earlier, later) in zip(times, times.dropFirst()) {
                #expect(later - earlier >= .seconds(1), "reconfirmed after \(delay) ms: \(times)")
            }
            #expect(times.count >= 5, "\(times)")
        }
    }

    /// An instance that answers its reconfirmation stays (RFC 6762 §10.4).
    @Test func reconfirmedInstanceStays() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        try link.reconfirm("Foo")
        link.advance(by: .seconds(2))
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(30))
        #expect(link.sighting("Foo") != nil)
    }

    /// A record is put in doubt when two questions of other queriers for it have remained unanswered (RFC 6762 §10.5).
    @Test func unansweredQuestionsOfOthersAreNoticed() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(30))
        link.receive(try Responses.query("Foo._openclaw._tcp.local", .srv))
        link.advance(by: .seconds(1))
        link.receive(try Responses.query("Foo._openclaw._tcp.local", .srv))
        _ = link.takeSent()
        link.advance(by: .seconds(9))
        #expect(!link.sent.contains { $0.questions.contains("Foo._openclaw._tcp.local SRV") })
        link.advance(by: .seconds(2))
        #expect(link.sent.contains { $0.questions.contains("Foo._openclaw._tcp.local SRV") })
        link.advance(by: .seconds(25))
        #expect(link.sighting("Foo") == nil)
    }

    /// A record is not put in doubt if any of the questions of other queriers for it was answered (RFC 6762 §10.5).
    @Test func answeredQuestionsOfOthersSayNothing() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        link.advance(by: .seconds(30))
        link.receive(try Responses.query("Foo._openclaw._tcp.local", .srv))
        link.advance(by: .seconds(1))
        link.receive(try Responses.query("Foo._openclaw._tcp.local", .srv))
        link.receive(Responses.response(try Responses.srv("Foo")))
        _ = link.takeSent()
        link.advance(by: .seconds(20))
        #expect(!link.sent.contains { $0.questions.contains("Foo._openclaw._tcp.local SRV") })
    }

    /// A service that cannot be resolved is reported, and can still be resolved later.
    @Test func anIncompleteServiceFailsAndRecovers() throws {
        var link = try browsing()
        link.receive(Responses.response(try Responses.ptr("Foo")))
        #expect(link.sighting("Foo")?.resolution == .resolving)
        link.advance(by: .seconds(6))
        #expect(link.sighting("Foo")?.resolution == .failed(reason: "no SRV record was answered within 5 s"))
        link.receive(Responses.response(try Responses.srv("Foo"), try Responses.a()))
        #expect(link.sighting("Foo")?.resolution == .resolved)
        #expect(link.sighting("Foo")?.txt == TXTRecord())
    }

    /// A second browse for the same type receives the known instances at once, and the first one receives no second
    /// copy.
    @Test func aLaterBrowseIsToldWhatIsKnown() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        _ = link.takeEvents()
        try link.browse("_openclaw._tcp", id: 2)
        guard case .sighted(let sighting, let listeners)? = link.takeEvents().first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(sighting.resolution == .resolved)
        #expect(listeners == [BrowseID(rawValue: 2)])
        link.endBrowse(1)
        link.receive(Responses.response(try Responses.ptr("Foo", ttl: 0)))
        link.advance(by: .seconds(2))
        let instance = try QuerierHarness.instance("Foo")
        #expect(link.takeEvents() == [.vanished(instance, QuerierHarness.path, .withdrawn, [BrowseID(rawValue: 2)])])
    }

    /// A browse for a subtype reports only the instances that are listed under the subtype (RFC 6763 §7.1).
    @Test func aSubtypeListsItsOwn() throws {
        var link = QuerierHarness()
        try link.browse("_openclaw._tcp", id: 1)
        try link.browse("_openclaw._tcp,_home", id: 2)
        link.receive(try Responses.whole("Foo"))
        link.receive(try Responses.whole("Bar"))
        _ = link.takeEvents()
        link.receive(Responses.response(try Responses.ptr("Bar", type: "_home._sub._openclaw._tcp")))
        guard case .sighted(let sighting, let listeners)? = link.takeEvents().first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(sighting.instance.name == "Bar")
        #expect(listeners == [BrowseID(rawValue: 2)])
    }

    /// All instances that were seen on a link vanish when the link goes down.
    @Test func aLostLinkLosesItsServices() throws {
        var link = try browsing()
        link.receive(try Responses.whole("Foo"))
        var querier = link.querier
        let instance = try QuerierHarness.instance("Foo")
        #expect(
            querier.end(.interfaceDown) == [
                .vanished(instance, QuerierHarness.path, .interfaceDown, [BrowseID(rawValue: 1)])
            ]
        )
    }
}
