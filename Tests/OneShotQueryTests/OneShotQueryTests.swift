internal import DNSSD
internal import TestSupport
internal import Testing

@testable import Discovery

@Suite("OneShotQuery") struct OneShotQueryTests {
    typealias LAN = OneShotHarness

    @Test("asks for each type at once, on each interface and family, and once more after 250 ms")
    func asks() throws {
        var lan = try LAN(
            types: ["_openclaw._tcp", "_moltbot-gw._tcp"],
            links: [LAN.link(LAN.eth0, ["10.99.0.1", "fe80::1"]), LAN.link(LAN.eth1, ["10.100.0.1"])]
        )
        #expect(
            lan.sent.map(\.path.description) == [
                "eth0/ipv4", "eth0/ipv4", "eth0/ipv6", "eth0/ipv6", "eth1/ipv4", "eth1/ipv4",
            ]
        )
        #expect(Set(lan.sent.map(\.message.id)).count == 3)
        #expect(lan.sent.allSatisfy { $0.message.id != 0 && $0.message.answers.isEmpty })
        #expect(Set(lan.questions()) == ["_openclaw._tcp.local PTR", "_moltbot-gw._tcp.local PTR"])
        try lan.pass(.milliseconds(249))
        #expect(lan.packets() == 0)
        try lan.pass(.milliseconds(1))
        #expect(lan.packets() == 6)
        try lan.pass(.seconds(3_600))
        #expect(lan.packets() == 0)
        #expect(lan.query.deadline == nil)
    }

    @Test("sets the QU bit in every question, since some responders repeat only the ID of such queries")
    func wantsUnicastAnswers() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), [LAN.pointer("Desk")])
        try lan.answer(id: lan.id(), [LAN.location("Hall", host: "hall.local"), LAN.pointer("Hall")])
        try lan.answer(id: lan.id(), LAN.all("Attic"))
        try lan.pass(.seconds(30))
        let questions = lan.takeSent().flatMap(\.questions)
        #expect(Set(questions.map(\.type)) == [.ptr, .srv, .txt, .a, .aaaa])
        #expect(questions.allSatisfy { $0.isUnicastWanted })
    }

    @Test("reports the host name in the same form as the engine, and the senders of the present SRV record")
    func hostAndSources() throws {
        var lan = try LAN()
        let id = try lan.id()
        let host = #"k\195\188che 2\.0.local"#
        let records = [
            try LAN.pointer("Desk"), try LAN.location("Desk", host: host), try LAN.text("Desk"), try LAN.address(host),
        ]
        try lan.answer(id: id, records, from: "10.99.0.66")
        let first = lan.sightings()
        #expect(first.map(\.host?.escaped) == [#"küche\0322\.0.local"#])
        #expect(first.first?.heardFrom.map(\.description) == ["10.99.0.66"])
        try lan.answer(id: id, records, from: "10.99.0.67")
        #expect(lan.sightings().isEmpty, "a sender that is not an address of the host causes no event")
        try lan.answer(id: id, records)
        #expect(lan.sightings().first?.firstHandAddresses.map(\.description) == ["10.99.0.2"])
        try lan.answer(id: id, [LAN.location("Desk", host: host, port: 1)], from: "10.99.0.66")
        #expect(lan.sightings().first?.heardFrom.map(\.description) == ["10.99.0.66"])
    }

    @Test("asks nothing while the backend works, and stops soon after the backend works again")
    func backendThatWorksAgain() throws {
        var lan = try LAN()
        try lan.pass(.seconds(60))
        _ = lan.packets()
        for isBusy in [true, false, true] {
            lan.query.backendChanged(isRunning: true, isBusy: isBusy, now: lan.now)
            try lan.pass(.seconds(10))
        }
        #expect(lan.packets() == 0)
        lan.query.backendChanged(isRunning: false, isBusy: true, now: lan.now)
        try lan.pass(.seconds(2))
        _ = lan.packets()
        lan.query.backendChanged(isRunning: true, isBusy: true, now: lan.now)
        try lan.pass(.seconds(60))
        #expect((1...4).contains(lan.packets()))
    }

    @Test("keeps asking while the backend does not work, at growing intervals")
    func silence() throws {
        var lan = try LAN()
        try lan.pass(.seconds(60))
        _ = lan.packets()
        lan.query.backendChanged(isRunning: false, isBusy: false, now: lan.now)
        var questions: [Int] = []
        for _ in 0..<120 {
            try lan.pass(.seconds(1))
            questions.append(lan.packets())
        }
        #expect(questions.prefix(8).allSatisfy { $0 >= 1 }, "every second at first: \(questions)")
        #expect(questions.suffix(64).reduce(0, +) <= 24, "every eight seconds in the end: \(questions)")
        #expect(questions.suffix(64).reduce(0, +) >= 8)
        // The backend is back. It has missed the records of the meantime, so a few more questions follow.
        lan.query.backendChanged(isRunning: true, isBusy: true, now: lan.now)
        try lan.pass(.seconds(16))
        #expect((1...3).contains(lan.packets()))
        try lan.pass(.seconds(3_600))
        #expect(lan.packets() == 0)
        // A backend that keeps stopping and starting is no reason to ask more often.
        for _ in 0..<50 {
            lan.query.backendChanged(isRunning: false, isBusy: false, now: lan.now)
            try lan.pass(.milliseconds(100))
            lan.query.backendChanged(isRunning: true, isBusy: false, now: lan.now)
            try lan.pass(.milliseconds(100))
        }
        #expect((8...12).contains(lan.packets()))
    }

    @Test("asks less often beside a stopped backend if thousands of instances have just answered")
    func silenceAmongThousands() throws {
        var lan = try LAN()
        lan.query.backendChanged(isRunning: true, isBusy: true, now: lan.now)
        let browse = "_openclaw._tcp.local"
        var times: [Int] = []
        for tenth in 0..<75 {
            // The backend is too busy to report anything.
            if tenth == 12 { lan.query.backendChanged(isRunning: false, isBusy: true, now: lan.now) }
            let messages = lan.takeSent()
            if let browsed = messages.last(where: { $0.questions.first?.name.escaped == browse }) {
                times.append(tenth)
                for number in 0..<500 { try lan.answer(id: browsed.id, LAN.all("Many \(number)")) }
            }
            try lan.pass(.milliseconds(100))
        }
        #expect(times == [0, 10, 50], "every four seconds, in tenths of a second")
    }

    @Test("keeps asking beside a stopped backend after a time without any link")
    func silenceWithoutLinks() throws {
        var lan = try LAN()
        try lan.pass(.seconds(60))
        lan.query.backendChanged(isRunning: false, isBusy: false, now: lan.now)
        try lan.perform(lan.query.setLinks([], now: lan.now))
        try lan.pass(.seconds(60))
        try lan.perform(lan.query.setLinks([LAN.link()], now: lan.now))
        try lan.pass(.seconds(20))
        _ = lan.packets()
        try lan.pass(.seconds(60))
        #expect(lan.packets() >= 10, "the checks alone would send six")
    }

    @Test("asks once by multicast and listens for half a second, since multicast answers are complete")
    func multicast() throws {
        var lan = try LAN(
            types: ["_openclaw._tcp", "_moltbot-gw._tcp"],
            links: [LAN.link(LAN.eth0, ["10.99.0.1", "fe80::1"])]
        )
        #expect(lan.multicast.isEmpty)
        lan.query.backendChanged(isRunning: true, isBusy: false, now: lan.now)
        try lan.pass(.milliseconds(29))
        #expect(lan.multicast.isEmpty, "answers may be on their way")
        try lan.pass(.milliseconds(1))
        #expect(lan.multicast.map(\.path.description) == ["eth0/ipv4", "eth0/ipv6"])
        #expect(lan.multicast.allSatisfy { $0.message.id == 0 && $0.message.questions.count == 2 })
        #expect(lan.multicast.allSatisfy { $0.message.questions.allSatisfy { !$0.isUnicastWanted } })
        try lan.pass(.milliseconds(30))
        try lan.say(LAN.all("Afar"), from: "8.8.8.8")
        try lan.say(LAN.all("Elsewhere"), port: 5_354)
        try lan.say(LAN.all("Own"), from: "10.99.0.1")
        #expect(lan.takeEvents().isEmpty)
        _ = lan.questions()
        try lan.say(LAN.all("Desk") + [LAN.pointer("Named only")])
        #expect(lan.takeEvents() == ["+Desk eth0/ipv4 18789 10.99.0.2"])
        // Missing records are asked for from the query's own port, where they are answered at once.
        try lan.pass(.milliseconds(10))
        #expect(Set(lan.questions()).isSuperset(of: ["Named\\032only._openclaw._tcp.local SRV"]))
        try lan.pass(.seconds(1))
        #expect(!lan.isListening)
        try lan.say(LAN.all("Late"))
        #expect(lan.takeEvents().isEmpty)
        // On a link that appears later, only the backend asks by multicast, after the delay of RFC 6762 §5.2.
        try lan.perform(lan.query.setLinks([LAN.link(), LAN.link(LAN.eth1, ["10.100.0.1"])], now: lan.now))
        #expect(lan.multicast.count == 2)
    }

    @Test("asks by multicast only where answers were cut, so that complete answers are not sent again to everybody")
    func multicastWhereCut() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        lan.query.backendChanged(isRunning: true, isBusy: false, now: lan.now)
        try lan.pass(.milliseconds(50))
        #expect(lan.multicast.isEmpty)
        try lan.answer(id: id, LAN.all("Long") + [LAN.text("Long", [UInt8](repeating: 97, count: 251))])
        #expect(lan.multicast.isEmpty)
        let padding = try (0..<5).map { try LAN.text("Padding \($0)", [UInt8](repeating: 50, count: 51)) }
        try lan.answer(id: id, LAN.all("Cut") + padding)
        try lan.pass(.zero)
        #expect(lan.multicast.count == 1, "at once, since the backend is ready")
        try lan.answer(id: id, LAN.all("Cut again") + padding)
        try lan.pass(.seconds(60))
        #expect(lan.multicast.count == 1)
    }

    @Test("asks by multicast after 30 ms even if the backend is not ready to receive the answers")
    func multicastWithoutBackend() throws {
        var lan = try LAN()
        lan.query.backendChanged(isRunning: false, isBusy: false, now: lan.now)
        try lan.pass(.milliseconds(29))
        #expect(lan.multicast.isEmpty)
        try lan.pass(.milliseconds(1))
        #expect(lan.multicast.count == 1)
        lan.query.backendChanged(isRunning: true, isBusy: false, now: lan.now)
        try lan.pass(.seconds(60))
        #expect(lan.multicast.count == 1)
    }

    @Test("withdraws an instance that the backend reports as gone")
    func forgotten() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        _ = lan.takeEvents()
        let desk = try ServiceInstance(name: "Desk", type: ServiceType(LAN.type))
        lan.query.forget(desk, on: LAN.path, now: lan.now)
        #expect(lan.takeEvents() == ["-Desk eth0/ipv4 withdrawn"])
        lan.query.forget(desk, on: LAN.path, now: lan.now)
        #expect(lan.takeEvents().isEmpty)
    }

    @Test("asks only on the requested interfaces")
    func interfaces() throws {
        let lan = try LAN(interfaces: ["eth1"], links: [LAN.link(), LAN.link(LAN.eth1, ["10.100.0.1"])])
        #expect(lan.sent.map(\.path.interface) == [LAN.eth1])
    }

    @Test("reports an instance once PTR, SRV, TXT and an address are known, in any order and number of packets")
    func complete() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, [LAN.address(), LAN.text("Desk")])
        try lan.answer(id: id, [LAN.location("Desk")])
        #expect(lan.takeEvents().isEmpty)
        try lan.answer(id: id, [LAN.pointer("Desk")])
        #expect(lan.takeEvents() == ["+Desk eth0/ipv4 18789 10.99.0.2"])
        try lan.answer(id: id, LAN.all("Desk"))
        #expect(lan.takeEvents().isEmpty)
        try lan.answer(id: id, [LAN.address("h2.local", 0x0A63_0003), LAN.location("Desk", port: 4)])
        #expect(lan.takeEvents() == ["+Desk eth0/ipv4 4 10.99.0.2,10.99.0.3"])
    }

    @Test("accepts only answers from port 5353 of the link with the ID of its question and without an error")
    func trust() throws {
        var lan = try LAN()
        let id = try lan.id()
        let records = try LAN.all("Desk")
        try lan.answer(id: id, records, from: "8.8.8.8")
        try lan.answer(id: id, records, port: 5_354)
        try lan.answer(id: id &+ 1, records)
        try lan.answer(id: id, records, interface: 3)
        try lan.answer(id: id, records, flags: .query)
        try lan.answer(id: id, records, flags: DNSFlags(rawValue: 0x8403))
        try lan.answer(id: id, records, flags: DNSFlags(rawValue: 0xA800))
        // Answers of this host are ignored, since the backend knows more about its services.
        try lan.answer(id: id, records, from: "10.99.0.1")
        try lan.answer(id: id, records, on: ServicePath(interface: LAN.eth1, family: .ipv4))
        #expect(lan.takeEvents().isEmpty)
        try lan.answer(id: id, records, from: "169.254.1.1")
        #expect(lan.takeEvents().count == 1)
    }

    @Test("ignores other types, goodbyes, other classes, and names that are not UTF-8 or have too many labels")
    func foreignRecords() throws {
        var lan = try LAN()
        let id = try lan.id()
        let other = try LAN.name("_http._tcp.local")
        let type = try LAN.name("_openclaw._tcp.local")
        var goodbye = try LAN.pointer("Gone")
        goodbye.ttl = 0
        var chaos = try LAN.pointer("Chaos")
        chaos.dnsClass = DNSClass(rawValue: 3)
        try lan.answer(
            id: id,
            [
                DNSRecord(name: other, ttl: 10, data: .ptr(try other.prepending("Web".utf8))),
                DNSRecord(name: type, ttl: 10, data: .ptr(try other.prepending("Web".utf8))),
                DNSRecord(name: type, ttl: 10, data: .ptr(try type.prepending([0xFF, 0xFE]))),
                DNSRecord(name: type, ttl: 10, data: .ptr(try LAN.name("a.b._openclaw._tcp.local"))),
                goodbye, chaos,
            ]
        )
        try lan.pass(.milliseconds(200))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR"])
    }

    @Test("asks for missing records after 5 ms without a packet, in one packet, and at most three times")
    func followUps() throws {
        var lan = try LAN()
        let id = try lan.id()
        _ = lan.questions()
        try lan.answer(id: id, [LAN.pointer("A"), LAN.location("A"), LAN.pointer("B"), LAN.text("B")])
        try lan.pass(.milliseconds(4))
        #expect(lan.packets() == 0)
        try lan.pass(.milliseconds(1))
        #expect(lan.sent.count == 1)
        #expect(
            Set(lan.questions()) == [
                "h2.local A", "h2.local AAAA", "A._openclaw._tcp.local TXT", "B._openclaw._tcp.local SRV",
            ]
        )
        try lan.pass(.milliseconds(55))
        #expect(lan.sent.count == 1)
        try lan.pass(.milliseconds(150))
        #expect(lan.packets() == 2)
        try lan.pass(.seconds(5))
        // Only the repetitions of the first question follow.
        #expect(lan.questions() == Array(repeating: "_openclaw._tcp.local PTR", count: 4))
    }

    /// Some responders take identical bytes within a second for a duplicated packet, and do not answer.
    @Test("sends each packet with a new ID, and accepts the answers to all of them")
    func repetitions() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, [LAN.pointer("A")])
        try lan.pass(.milliseconds(260))
        #expect(lan.sent.count == 5)
        #expect(Set(lan.sent.map(\.message.id)).count == 5)
        for (message, _) in lan.sent { try lan.answer(id: message.id, LAN.all("Desk \(message.id)")) }
        #expect(lan.takeEvents().count == 5)
    }

    @Test("repeats the question after 500 ms, 1 s and 2 s if the previous one brought something new")
    func lossIsSeen() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("A"))
        try lan.pass(.milliseconds(250))
        try lan.answer(id: lan.id(), LAN.all("B"))
        _ = lan.packets()
        try lan.pass(.milliseconds(499))
        #expect(lan.packets() == 0)
        try lan.pass(.milliseconds(1))
        try lan.answer(id: lan.id(), LAN.all("B"))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR"])
        try lan.pass(.seconds(5))
        #expect(lan.packets() == 0, "the previous question brought nothing new")
    }

    @Test("ignores answers to a question that is long past")
    func oldIDs() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("A"))
        // 40 checks follow, each with an ID of its own, and each is answered before it ends.
        for round in 0..<40 {
            try lan.pass(round == 0 ? .milliseconds(8_500) : .seconds(9))
            try lan.answer(id: lan.id(), [LAN.pointer("A")])
        }
        _ = lan.takeEvents()
        try lan.answer(id: id, LAN.all("B"))
        #expect(lan.takeEvents().isEmpty)
    }

    @Test("asks for missing records even while packets keep arriving")
    func followUpsUnderLoad() throws {
        var lan = try LAN()
        let id = try lan.id()
        _ = lan.packets()
        for index in 0..<20 {
            try lan.answer(id: id, [LAN.pointer("Desk \(index)")])
            try lan.pass(.milliseconds(3))
        }
        #expect(lan.packets() > 0)
    }

    @Test("asks for few instances in a packet where answers are cut at 512 bytes", arguments: [true, false])
    func cutAnswers(isCut: Bool) throws {
        var lan = try LAN()
        let id = try lan.id()
        _ = lan.packets()
        var records = try (0..<12).map { try LAN.pointer("Desk \($0)") }
        // Fills the answer up to the size at which Avahi cuts it.
        if isCut { records.append(try LAN.text("Desk 0", [UInt8](repeating: 0, count: 130))) }
        try lan.answer(id: id, records)
        try lan.pass(.milliseconds(5))
        #expect(lan.packets() == (isCut ? 4 : 1))
    }

    @Test("sends at most 64 packets of questions in a round, none larger than the link allows")
    func boundedRounds() throws {
        var lan = try LAN()
        let id = try lan.id()
        _ = lan.packets()
        for index in 0..<2_100 {
            try lan.answer(id: id, [LAN.pointer("Desk with a name that is rather long, as some are \(index)")])
        }
        try lan.pass(.milliseconds(5))
        #expect(lan.sent.count == 64)
        for (message, _) in lan.sent { #expect(message.encoded().bytes.count <= 1_472) }
    }

    @Test("repeats the question after its socket lost packets, but not at once, when answers would be lost again")
    func lostPackets() throws {
        var lan = try LAN()
        _ = lan.packets()
        lan.query.lost(3, on: LAN.path, now: lan.now)
        #expect(lan.takeEvents() == ["!"])
        try lan.pass(.milliseconds(249))
        #expect(lan.packets() == 0)
        try lan.pass(.milliseconds(1))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR"])
        lan.query.lost(4, on: LAN.path, now: lan.now)
        #expect(lan.takeEvents().isEmpty, "one warning for all losses")
        #expect(lan.losses == BackendLosses(packets: 7), "all losses are counted")
        try lan.pass(.seconds(1))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR"])
        try lan.pass(.seconds(60))
        #expect(lan.packets() == 0)
    }

    @Test("asks again when the backend loses packets, every two seconds, and less often if the losses go on")
    func overload() throws {
        var lan = try LAN()
        try lan.pass(.seconds(60))
        _ = lan.packets()
        lan.query.backendLost(now: lan.now)
        try lan.pass(.milliseconds(249))
        #expect(lan.packets() == 0)
        try lan.pass(.milliseconds(1))
        let id = try lan.id()
        #expect(lan.questions() == ["_openclaw._tcp.local PTR"])
        try lan.answer(id: id, LAN.all("Published meanwhile"))
        #expect(lan.takeEvents().count == 1)
        lan.query.confirm(try ServiceInstance(name: "Published meanwhile", type: ServiceType(LAN.type)), on: LAN.path)
        try lan.pass(.seconds(5))
        #expect(lan.packets() == 0, "the losses have ended")
        var counts: [Int] = []
        for _ in 0..<6 {
            // The losses go on; the packets of each 16 seconds are counted.
            for _ in 0..<160 {
                lan.query.backendLost(now: lan.now)
                try lan.pass(.milliseconds(100))
            }
            counts.append(lan.packets())
        }
        #expect(counts == [8, 2, 1, 1, 1, 1])
        try lan.pass(.seconds(200))
        _ = lan.packets()
        lan.query.backendLost(now: lan.now)
        try lan.pass(.milliseconds(250))
        #expect(lan.packets() == 1, "a new loss is followed as soon as the first one")
    }

    @Test("repeats the question once more if nobody answers a repetition although somebody had answered before")
    func lostRepetition() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        try lan.pass(.milliseconds(300))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR", "_openclaw._tcp.local PTR"])
        try lan.pass(.milliseconds(500))
        #expect(lan.sent.count == 1)
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        _ = lan.packets()
        try lan.pass(.seconds(6))
        #expect(lan.packets() == 0)
    }

    @Test("repeats nothing while answers arrive, and waits longer the more there are unless some are incomplete")
    func manyAnswers() throws {
        var lan = try LAN()
        let id = try lan.id()
        _ = lan.packets()
        for index in 0..<1_000 { try lan.answer(id: id, LAN.all("Desk \(index)")) }
        try lan.pass(.milliseconds(1_999))
        #expect(lan.packets() == 0)
        try lan.pass(.milliseconds(1))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR"])

        var lossy = try LAN()
        let other = try lossy.id()
        for index in 0..<1_000 { try lossy.answer(id: other, LAN.all("Desk \(index)")) }
        _ = lossy.packets()
        try lossy.pass(.milliseconds(240))
        try lossy.answer(id: other, [LAN.location("No pointer")])
        try lossy.pass(.milliseconds(49))
        #expect(lossy.packets() == 0)
        try lossy.pass(.milliseconds(1))
        #expect(lossy.questions() == ["_openclaw._tcp.local PTR"])
    }

    @Test("keeps to its limits on instances, addresses and bytes")
    func caps() throws {
        var lan = try LAN(configuration: OneShotConfiguration(maximumInstances: 3, maximumAddresses: 2))
        let id = try lan.id()
        for index in 0..<10 { try lan.answer(id: id, LAN.all("Desk \(index)")) }
        #expect(lan.takeEvents().filter { $0.hasPrefix("+") }.count == 3)
        let before = lan.losses
        #expect(before.entries == 7, "each instance is counted once, not with every record")
        for index in 0..<10 { try lan.answer(id: id, [LAN.address("h2.local", UInt32(index) + 1)]) }
        let events = lan.takeEvents()
        #expect(events.last { $0.hasPrefix("+") }?.split(separator: ",").count == 2)
        #expect(events.count { $0 == "!" } == 1, "one warning for all addresses")
        #expect(lan.losses.entries == before.entries + 9, "all addresses are counted but the one that found room")
        let other6 = DNSRecord(name: try LAN.name("h2.local"), ttl: 10, data: .aaaa(0x2001_0DB8 << 96 | 1))
        try lan.answer(id: id, [other6])
        #expect(lan.takeEvents().last?.split(separator: ",").count == 3, "the other family has a limit of its own")

        var small = try LAN(configuration: OneShotConfiguration(maximumBytes: 1_000))
        let other = try small.id()
        for index in 0..<10 {
            try small.answer(
                id: other,
                [
                    LAN.address(), LAN.pointer("D\(index)"), LAN.location("D\(index)"),
                    LAN.text("D\(index)", [UInt8](repeating: 0, count: 300)),
                ]
            )
        }
        #expect((1...3).contains(small.takeEvents().filter { $0.hasPrefix("+") }.count))
        #expect(small.losses.entries >= 7, "the instances that found no room")
    }

    @Test("drops the newest unprotected instance of the source with the most past the limit, and warns once")
    func roomForOthers() throws {
        var lan = try LAN(configuration: OneShotConfiguration(maximumInstances: 4))
        let id = try lan.id()
        for index in 0..<10 { try lan.answer(id: id, LAN.all("Forged \(index)"), from: "10.99.6.6") }
        #expect(lan.takeEvents().count == 5)
        #expect(lan.losses.entries >= 6)
        for name in ["Forged 1", "Forged 2", "Forged 3", "Real"] {
            lan.query.protect(try ServiceInstance(name: name, type: ServiceType(LAN.type)), true)
        }
        try lan.answer(id: id, LAN.all("Real"))
        #expect(lan.takeEvents() == ["-Forged 0 eth0/ipv4 withdrawn", "+Real eth0/ipv4 18789 10.99.0.2"])
        try lan.answer(id: id, LAN.all("Other"), from: "10.99.0.3")
        #expect(lan.takeEvents().isEmpty, "all present instances are protected")
        lan.query.protect(try ServiceInstance(name: "Forged 2", type: ServiceType(LAN.type)), false)
        try lan.answer(id: id, LAN.all("Other"), from: "10.99.0.3")
        #expect(lan.takeEvents() == ["-Forged 2 eth0/ipv4 withdrawn", "+Other eth0/ipv4 18789 10.99.0.2"])
    }

    @Test("counts an instance that is seen on several paths once")
    func oneServiceOnTwoPaths() throws {
        var lan = try LAN(
            configuration: OneShotConfiguration(maximumInstances: 2),
            links: [LAN.link(), LAN.link(LAN.eth1, ["10.100.0.1"])]
        )
        let other = ServicePath(interface: LAN.eth1, family: .ipv4)
        let ids = (try lan.id(), try lan.id(other))
        for name in ["A", "B", "C"] {
            try lan.answer(id: ids.0, LAN.all(name))
            try lan.answer(id: ids.1, LAN.all(name), from: "10.100.0.2", interface: 3, on: other)
        }
        let events = lan.takeEvents()
        #expect(events.filter { $0.hasPrefix("+A") || $0.hasPrefix("+B") }.count == 4)
        #expect(events.filter { $0.hasPrefix("+C") }.isEmpty)
    }

    @Test("reports and asks nothing more about an instance that the backend sees")
    func confirmed() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        #expect(lan.takeEvents().count == 1)
        let desk = try ServiceInstance(name: "Desk", type: ServiceType(LAN.type))
        lan.query.confirm(desk, on: LAN.path)
        _ = lan.packets()
        try lan.pass(.milliseconds(300))
        #expect(lan.packets() == 1)
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.seconds(3_600))
        #expect(lan.packets() == 0)
        #expect(lan.takeEvents().isEmpty)
    }

    @Test("asks every 8 s for an instance that only it sees, warns once, and withdraws it after two silent checks")
    func checks() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.milliseconds(300))
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        _ = lan.takeEvents()
        _ = lan.packets()
        for round in 0..<3 {
            try lan.pass(round == 0 ? .milliseconds(7_800) : .seconds(8))
            #expect(lan.questions() == ["_openclaw._tcp.local PTR"], "round \(round)")
            try lan.answer(id: id, [LAN.pointer("Desk")])
            try lan.pass(.seconds(1))
            #expect(lan.takeEvents() == (round == 1 ? ["!notConfirmed"] : []))
        }
        try lan.pass(.seconds(9))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR", "Desk._openclaw._tcp.local SRV"])
        #expect(lan.takeEvents().isEmpty)
        try lan.pass(.seconds(9))
        #expect(lan.takeEvents() == ["-Desk eth0/ipv4 unanswered"])
        _ = lan.packets()
        try lan.pass(.seconds(3_600))
        #expect(lan.packets() == 2, "the instance may be restarting, so it is asked for a little longer")
    }

    @Test("soon asks on the other paths for an instance that the backend reports as gone from one")
    func goneElsewhere() throws {
        let other = ServicePath(interface: LAN.eth1, family: .ipv4)
        var lan = try LAN(links: [LAN.link(), LAN.link(LAN.eth1, ["10.99.0.9"])])
        let desk = try ServiceInstance(name: "Desk", type: ServiceType(LAN.type))
        for path in [LAN.path, other] {
            try lan.answer(id: lan.id(path), LAN.all("Desk"), interface: path.interface.index, on: path)
        }
        lan.query.confirm(desk, on: LAN.path)
        _ = lan.takeEvents()
        lan.query.forget(desk, on: LAN.path, now: lan.now)
        #expect(lan.takeEvents().isEmpty)
        try lan.pass(.milliseconds(2_100))
        #expect(lan.takeEvents() == ["-Desk eth1/ipv4 unanswered"])
    }

    @Test("asks by name for an instance to reconfirm, and withdraws it two seconds later if it is silent")
    func reconfirmed() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk") + LAN.all("Shelf"))
        try lan.pass(.seconds(1))
        _ = lan.takeEvents()
        for name in ["Desk", "Shelf"] {
            lan.query.reconfirm(try ServiceInstance(name: name, type: ServiceType(LAN.type)), now: lan.now)
        }
        try lan.pass(.milliseconds(1_100))
        try lan.answer(id: lan.id(), LAN.all("Shelf"))
        try lan.pass(.milliseconds(1_000))
        #expect(lan.takeEvents() == ["-Desk eth0/ipv4 unanswered"])
    }

    @Test("withdraws an instance two seconds after its goodbye if it does not answer")
    func goodbyes() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk") + LAN.all("Shelf"))
        try lan.pass(.seconds(1))
        #expect(!lan.isListening, "the backend still has time to see the instance")
        try lan.pass(.seconds(4))
        #expect(lan.isListening)
        _ = (lan.takeEvents(), lan.packets())
        try lan.goodbye("Desk", from: "10.99.0.1")
        try lan.goodbye("Nobody")
        try lan.pass(.milliseconds(1_500))
        #expect(lan.packets() == 0, "goodbyes of this host are left to the backend")
        try lan.goodbye("Desk")
        try lan.pass(.seconds(1))
        try lan.pass(.milliseconds(300))
        #expect(lan.questions() == ["Desk._openclaw._tcp.local SRV", "Desk._openclaw._tcp.local SRV"])
        try lan.pass(.milliseconds(700))
        #expect(lan.takeEvents() == ["-Desk eth0/ipv4 unanswered"])
    }

    @Test("keeps an instance that still answers after goodbyes, and asks once a second however many there are")
    func forgedGoodbyes() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.milliseconds(2_500))
        _ = (lan.takeEvents(), lan.packets())
        for _ in 0..<200 {
            try lan.goodbye("Desk")
            try lan.pass(.milliseconds(50))
            if !lan.sent.isEmpty { try lan.answer(id: lan.id(), [LAN.location("Desk")]) }
        }
        #expect(lan.packets() <= 12)
        #expect(!lan.takeEvents().contains { $0.hasPrefix("-") })
    }

    @Test("stops listening to the group when the backend sees every instance")
    func nothingToHear() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        try lan.pass(.seconds(3))
        #expect(lan.isListening)
        lan.query.confirm(try ServiceInstance(name: "Desk", type: ServiceType(LAN.type)), on: LAN.path)
        try lan.pass(.seconds(10))
        #expect(!lan.isListening)
        #expect(lan.query.deadline == nil)
    }

    @Test("stops listening when the last instance is withdrawn, or confirmed during a check", arguments: [false, true])
    func nothingLeftToHear(isConfirmed: Bool) throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        try lan.pass(.milliseconds(8_500))
        #expect(lan.isListening)
        if isConfirmed {
            lan.query.confirm(try ServiceInstance(name: "Desk", type: ServiceType(LAN.type)), on: LAN.path)
        }
        try lan.pass(.seconds(60))
        #expect(!lan.isListening)
        #expect(lan.query.deadline == nil)
    }

    @Test("finds an instance again that said goodbye because it was restarting")
    func restart() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        try lan.pass(.seconds(3))
        try lan.goodbye("Desk")
        try lan.pass(.seconds(3))
        #expect(lan.takeEvents().last == "-Desk eth0/ipv4 unanswered")
        _ = lan.packets()
        try lan.pass(.seconds(10))
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        #expect(lan.takeEvents() == ["+Desk eth0/ipv4 18789 10.99.0.2"])
    }

    @Test("keeps an instance that missed one check when another instance says goodbye")
    func bystander() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk") + LAN.all("Shelf"))
        try lan.pass(.milliseconds(8_100))
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        try lan.pass(.seconds(2))
        try lan.goodbye("Desk")
        try lan.pass(.milliseconds(1_100))
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        try lan.pass(.seconds(1))
        #expect(!lan.takeEvents().contains { $0.hasPrefix("-") })
    }

    @Test("counts a service on two paths as one in the warning")
    func warningCountsServices() throws {
        var lan = try LAN(links: [LAN.link(), LAN.link(LAN.eth1, ["10.98.0.1"])])
        let other = ServicePath(interface: LAN.eth1, family: .ipv4)
        var warnings: [String] = []
        for _ in 0..<5 {
            try lan.answer(id: lan.id(), LAN.all("Desk"))
            try lan.answer(id: lan.id(other), LAN.all("Desk"), from: "10.98.0.2", interface: 3, on: other)
            try lan.pass(.milliseconds(8_500))
            try lan.answer(id: lan.id(), LAN.all("Desk"))
            try lan.answer(id: lan.id(other), LAN.all("Desk"), from: "10.98.0.2", interface: 3, on: other)
            try lan.pass(.milliseconds(600))
            for case .warning(let warning) in lan.query.takeEvents() { warnings.append(warning.description) }
        }
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix("1 service answers") == true, "\(warnings)")
    }

    @Test("accepts the answer to a question by name as the answer to a check")
    func answerByName() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        for _ in 0..<5 {
            try lan.pass(.milliseconds(8_500))
            try lan.answer(id: id, [LAN.location("Desk")])
            try lan.pass(.milliseconds(600))
        }
        #expect(lan.takeEvents() == ["+Desk eth0/ipv4 18789 10.99.0.2", "!notConfirmed"])
    }

    @Test("checks less often if there are many instances, and withdraws none of them")
    func manyRows() throws {
        var lan = try LAN(configuration: OneShotConfiguration(checksPerSecond: 1))
        let id = try lan.id()
        for index in 0..<60 { try lan.answer(id: id, LAN.all("Desk \(index)")) }
        try lan.pass(.milliseconds(300))
        _ = lan.packets()
        // The first check was scheduled when there was only one row.
        try lan.pass(.seconds(9))
        for index in 0..<60 { try lan.answer(id: id, [LAN.pointer("Desk \(index)")]) }
        _ = lan.packets()
        try lan.pass(.seconds(50))
        for index in 0..<60 { try lan.answer(id: id, [LAN.pointer("Desk \(index)")]) }
        _ = lan.packets()
        #expect(lan.takeEvents().filter { $0.hasPrefix("-") }.isEmpty)
        try lan.pass(.seconds(59))
        #expect(lan.packets() > 0)
    }

    @Test("finds new instances while the backend does not work")
    func backendDown() throws {
        var lan = try LAN()
        try lan.pass(.seconds(1))
        _ = lan.packets()
        lan.query.backendChanged(isRunning: false, isBusy: false, now: lan.now)
        try lan.pass(.seconds(2))
        let id = try lan.id()
        #expect((1...3).contains(lan.packets()))
        try lan.answer(id: id, LAN.all("New"))
        #expect(lan.takeEvents() == ["+New eth0/ipv4 18789 10.99.0.2"])
        lan.query.backendChanged(isRunning: true, isBusy: false, now: lan.now)
        lan.query.confirm(try ServiceInstance(name: "New", type: ServiceType(LAN.type)), on: LAN.path)
        try lan.pass(.seconds(20))
        _ = lan.packets()
        try lan.pass(.seconds(100))
        #expect(lan.packets() == 0)
    }

    @Test("postpones checks while the backend is busy, but not for ever")
    func busyBackend() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        lan.query.backendChanged(isRunning: true, isBusy: true, now: lan.now)
        try lan.pass(.seconds(1))
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        _ = lan.packets()
        try lan.pass(.seconds(28))
        #expect(lan.packets() == 0)
        lan.query.backendChanged(isRunning: true, isBusy: true, now: lan.now)
        try lan.pass(.seconds(8))
        #expect(lan.packets() > 0)
    }

    @Test("withdraws the instances of an interface that is gone, and asks on one that is new")
    func links() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        _ = lan.takeEvents()
        _ = lan.packets()
        try lan.perform(lan.query.setLinks([LAN.link(LAN.eth1, ["10.100.0.1"])], now: lan.now))
        #expect(lan.takeEvents() == ["-Desk eth0/ipv4 interfaceDown"])
        #expect(lan.sent.map(\.path.interface) == [LAN.eth1])
        #expect(lan.query.activePaths.map(\.interface) == [LAN.eth1])
    }

    @Test("asks for the address of a host that an instance has moved to, if the SRV record came without one")
    func movedHost() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.milliseconds(300))
        _ = lan.takeEvents()
        _ = lan.questions()
        try lan.answer(id: id, [LAN.location("Desk", host: "moved.local")])
        try lan.pass(.milliseconds(20))
        #expect(lan.questions() == ["moved.local A", "moved.local AAAA"])
        try lan.answer(id: id, [LAN.address("moved.local", 0x0A63_0009)])
        #expect(lan.takeEvents() == ["+Desk eth0/ipv4 18789 10.99.0.9"])
    }

    @Test("stops asking for an incomplete instance that is no longer listed")
    func ghosts() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk") + [LAN.pointer("Ghost")])
        var asked: [Bool] = []
        for _ in 0..<4 {
            _ = lan.questions()
            try lan.pass(.seconds(8))
            asked.append(lan.questions().contains { $0.hasPrefix("Ghost") })
            try lan.answer(id: id, LAN.all("Desk"))
        }
        #expect(asked == [true, true, false, false])
    }

    @Test("removes an address that was missing from two checks in which the host sent another one")
    func changedAddress() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.milliseconds(300))
        #expect(lan.takeEvents() == ["+Desk eth0/ipv4 18789 10.99.0.2"])
        var reported: [String] = []
        // Answers arrive every four seconds, so that each check has one.
        for _ in 0..<8 {
            try lan.pass(.seconds(4))
            try lan.answer(id: id, LAN.all("Desk").dropLast() + [LAN.address("h2.local", 0x0A63_0009)])
            reported += lan.takeEvents().filter { $0.hasPrefix("+") }
        }
        #expect(reported == ["+Desk eth0/ipv4 18789 10.99.0.2,10.99.0.9", "+Desk eth0/ipv4 18789 10.99.0.9"])
    }

    @Test("asks by multicast on a silent path also if an answer was cut on another path")
    func silentBesideCut() throws {
        var lan = try LAN(links: [LAN.link(), LAN.link(LAN.eth1, ["10.100.0.1"])])
        let id = try lan.id()
        lan.query.backendChanged(isRunning: true, isBusy: false, now: lan.now)
        try lan.pass(.milliseconds(5))
        var flags = DNSFlags.authoritativeResponse
        flags.isTruncated = true
        try lan.answer(id: id, LAN.all("Desk"), flags: flags)
        try lan.pass(.seconds(1))
        #expect(lan.multicast.map(\.path.description) == ["eth0/ipv4", "eth1/ipv4"])
    }

    @Test("survives 1,500 packets, half of them mutated, mixed with all other events")
    func anything() throws {
        var generator = SeededGenerator.forFuzzing("OneShotQuery")
        var lan = try LAN(configuration: OneShotConfiguration(maximumInstances: 50, maximumBytes: 10_000))
        for step in 0..<1_500 {
            let id = try lan.id()
            let name = "Desk \(generator.next() % 80)"
            let message = DNSMessage(id: id, flags: .authoritativeResponse, answers: try LAN.all(name))
            let bytes = generator.next() % 2 == 0 ? message.encoded().bytes : generator.mutate(message.encoded().bytes)
            let packet = OneShotPacket(
                bytes: bytes,
                source: .v4(IPv4Address(bits: 0x0A63_0002)),
                port: 5_353,
                interface: 2
            )
            if generator.next() % 4 == 0 {
                lan.query.hear(packet, on: LAN.path, now: lan.now)
            } else {
                lan.query.receive(packet, on: LAN.path, now: lan.now)
            }
            switch generator.next() % 8 {
            case 0: try lan.pass(.milliseconds(Int(generator.next() % 9_000)))
            case 1: lan.query.confirm(try ServiceInstance(name: name, type: ServiceType(LAN.type)), on: LAN.path)
            case 2:
                let instance = try ServiceInstance(name: name, type: ServiceType(LAN.type))
                lan.query.forget(instance, on: LAN.path, now: lan.now)
            case 3: try lan.perform(lan.query.setLinks(step % 100 == 0 ? [] : [LAN.link()], now: lan.now))
            default: break
            }
            _ = lan.takeEvents()
        }
        #expect(lan.query.activePaths.count <= 1)
    }
}
