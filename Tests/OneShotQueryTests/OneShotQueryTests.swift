internal import DNSMessages
internal import DNSSD
internal import OneShotQuery
internal import TestSupport
internal import Testing

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

    @Test("asks with the QU bit, whatever it asks for: some responders repeat the id of no other query")
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

    @Test("tells the host as the engine does, and who sent the SRV record that holds")
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
        #expect(lan.sightings().isEmpty, "who is at no address of the host is no news")
        try lan.answer(id: id, records)
        #expect(lan.sightings().first?.firstHandAddresses.map(\.description) == ["10.99.0.2"])
        try lan.answer(id: id, [LAN.location("Desk", host: host, port: 1)], from: "10.99.0.66")
        #expect(lan.sightings().first?.heardFrom.map(\.description) == ["10.99.0.66"])
    }

    @Test("leaves a backend alone that is busy and works, and soon one that works again")
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

    @Test("asks on while the backend does not work, ever more rarely")
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
        #expect(questions.prefix(8).allSatisfy { $0 >= 1 }, "each second at first: \(questions)")
        #expect(questions.suffix(64).reduce(0, +) <= 24, "every eight seconds in the end, as without: \(questions)")
        #expect(questions.suffix(64).reduce(0, +) >= 8)
        // It is back: what was said meanwhile it has not heard, and then there is an end.
        lan.query.backendChanged(isRunning: true, isBusy: true, now: lan.now)
        try lan.pass(.seconds(16))
        #expect((1...3).contains(lan.packets()))
        try lan.pass(.seconds(3_600))
        #expect(lan.packets() == 0)
        // One that comes and goes is no reason to ask more often.
        for _ in 0..<50 {
            lan.query.backendChanged(isRunning: false, isBusy: false, now: lan.now)
            try lan.pass(.milliseconds(100))
            lan.query.backendChanged(isRunning: true, isBusy: false, now: lan.now)
            try lan.pass(.milliseconds(100))
        }
        #expect((8...12).contains(lan.packets()))
    }

    @Test("asks beside a silent backend, but not where thousands have just answered")
    func silenceAmongThousands() throws {
        var lan = try LAN()
        lan.query.backendChanged(isRunning: true, isBusy: true, now: lan.now)
        let browse = "_openclaw._tcp.local"
        var times: [Int] = []
        for tenth in 0..<75 {
            // It has too much to take in to say anything.
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

    @Test("asks on beside a silent backend also where there was no link for a while")
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
        #expect(lan.packets() >= 10, "by the checks alone there would be six")
    }

    @Test("asks once so that all are answered, and hears that for half a second: what is cut elsewhere is whole there")
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
        #expect(lan.news().isEmpty)
        _ = lan.questions()
        try lan.say(LAN.all("Desk") + [LAN.pointer("Named only")])
        #expect(lan.news() == ["+Desk eth0/ipv4 18789 10.99.0.2"])
        // What is missing is asked for where it is answered at once.
        try lan.pass(.milliseconds(10))
        #expect(Set(lan.questions()).isSuperset(of: ["Named\\032only._openclaw._tcp.local SRV"]))
        try lan.pass(.seconds(1))
        #expect(!lan.isListening)
        try lan.say(LAN.all("Late"))
        #expect(lan.news().isEmpty)
        // A link that comes is asked about by the backend, which waits as it has to.
        try lan.perform(lan.query.setLinks([LAN.link(), LAN.link(LAN.eth1, ["10.100.0.1"])], now: lan.now))
        #expect(lan.multicast.count == 2)
    }

    @Test("asks by multicast only where answers are cut: what all have said to us alone is not said again to all")
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
        #expect(lan.multicast.count == 1, "at once: the backend is ready")
        try lan.answer(id: id, LAN.all("Cut again") + padding)
        try lan.pass(.seconds(60))
        #expect(lan.multicast.count == 1)
    }

    @Test("does not wait for long for a backend that is not ready to hear the answers to all")
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

    @Test("takes back what it told of, when the backend tells that it is gone: nobody would follow it")
    func forgotten() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        _ = lan.news()
        let desk = try ServiceInstance(name: "Desk", type: ServiceType(LAN.type))
        lan.query.forget(desk, on: LAN.path, now: lan.now)
        #expect(lan.news() == ["-Desk eth0/ipv4 withdrawn"])
        lan.query.forget(desk, on: LAN.path, now: lan.now)
        #expect(lan.news().isEmpty)
    }

    @Test("looks at the interfaces that were asked for")
    func interfaces() throws {
        let lan = try LAN(interfaces: ["eth1"], links: [LAN.link(), LAN.link(LAN.eth1, ["10.100.0.1"])])
        #expect(lan.sent.map(\.path.interface) == [LAN.eth1])
    }

    @Test("tells an instance when PTR, SRV, TXT and an address are there, in whatever order and packets")
    func complete() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, [LAN.address(), LAN.text("Desk")])
        try lan.answer(id: id, [LAN.location("Desk")])
        #expect(lan.news().isEmpty)
        try lan.answer(id: id, [LAN.pointer("Desk")])
        #expect(lan.news() == ["+Desk eth0/ipv4 18789 10.99.0.2"])
        try lan.answer(id: id, LAN.all("Desk"))
        #expect(lan.news().isEmpty)
        try lan.answer(id: id, [LAN.address("h2.local", 0x0A63_0003), LAN.location("Desk", port: 4)])
        #expect(lan.news() == ["+Desk eth0/ipv4 4 10.99.0.2,10.99.0.3"])
    }

    @Test("takes answers from the link only, from port 5353, to its id, without an error")
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
        // Of this host's own services the backend knows more.
        try lan.answer(id: id, records, from: "10.99.0.1")
        try lan.answer(id: id, records, on: ServicePath(interface: LAN.eth1, family: .ipv4))
        #expect(lan.news().isEmpty)
        try lan.answer(id: id, records, from: "169.254.1.1")
        #expect(lan.news().count == 1)
    }

    @Test("leaves out other types, goodbyes, other classes, and names that are no text")
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

    @Test("asks for what is missing when nothing has come for 5 ms, many questions in a packet, at most three times")
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
        // The repetitions of the first question, and no more.
        #expect(lan.questions() == Array(repeating: "_openclaw._tcp.local PTR", count: 4))
    }

    /// Some responders take the same bytes within a second for a doubled packet, and do not answer.
    @Test("repeats nothing byte for byte, and takes the answers to all of it")
    func repetitions() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, [LAN.pointer("A")])
        try lan.pass(.milliseconds(260))
        #expect(lan.sent.count == 5)
        #expect(Set(lan.sent.map(\.message.id)).count == 5)
        for (message, _) in lan.sent { try lan.answer(id: message.id, LAN.all("Desk \(message.id)")) }
        #expect(lan.news().count == 5)
    }

    @Test("repeats the question after 500 ms, 1 s and 2 s where the one before brought something new")
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
        #expect(lan.packets() == 0, "that one brought nothing new")
    }

    @Test("takes no answer to a question that is long past")
    func oldIDs() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("A"))
        // 40 checks, with an id each, each answered before it ends.
        for round in 0..<40 {
            try lan.pass(round == 0 ? .milliseconds(8_500) : .seconds(9))
            try lan.answer(id: lan.id(), [LAN.pointer("A")])
        }
        _ = lan.news()
        try lan.answer(id: id, LAN.all("B"))
        #expect(lan.news().isEmpty)
    }

    @Test("does not wait for ever for a stream of packets to end before it asks for what is missing")
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

    @Test("asks little at a time where answers are cut at 512 bytes", arguments: [true, false])
    func cutAnswers(isCut: Bool) throws {
        var lan = try LAN()
        let id = try lan.id()
        _ = lan.packets()
        var records = try (0..<12).map { try LAN.pointer("Desk \($0)") }
        // Fills the answer up to what Avahi sends.
        if isCut { records.append(try LAN.text("Desk 0", [UInt8](repeating: 0, count: 130))) }
        try lan.answer(id: id, records)
        try lan.pass(.milliseconds(5))
        #expect(lan.packets() == (isCut ? 4 : 1))
    }

    @Test("asks at most 64 packets of each round, none longer than a packet of the network")
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

    @Test("goes on repeating when the socket has lost packets, but not at once: it would lose them again")
    func lostPackets() throws {
        var lan = try LAN()
        _ = lan.packets()
        lan.query.lost(3, on: LAN.path, now: lan.now)
        #expect(lan.news() == ["!"])
        try lan.pass(.milliseconds(249))
        #expect(lan.packets() == 0)
        try lan.pass(.milliseconds(1))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR"])
        lan.query.lost(4, on: LAN.path, now: lan.now)
        #expect(lan.news().isEmpty, "told once")
        #expect(lan.losses == BackendLosses(packets: 7), "and counted")
        try lan.pass(.seconds(1))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR"])
        try lan.pass(.seconds(60))
        #expect(lan.packets() == 0)
    }

    @Test("asks again where the backend loses packets: every two seconds, and more rarely when that does not end")
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
        #expect(lan.news().count == 1)
        lan.query.confirm(try ServiceInstance(name: "Published meanwhile", type: ServiceType(LAN.type)), on: LAN.path)
        try lan.pass(.seconds(5))
        #expect(lan.packets() == 0, "it has ended")
        var counts: [Int] = []
        for _ in 0..<6 {
            // Losses without an end, in steps of 16 seconds.
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
        #expect(lan.packets() == 1, "a new one is answered as soon as the first")
    }

    @Test("repeats once more where somebody had answered and nobody answers the repetition: it was lost")
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

    @Test("repeats nothing while answers come, and later the more there are, unless some are incomplete")
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

    @Test("keeps so many instances and bytes, and not one more")
    func caps() throws {
        var lan = try LAN(configuration: OneShotConfiguration(maximumInstances: 3, maximumAddresses: 2))
        let id = try lan.id()
        for index in 0..<10 { try lan.answer(id: id, LAN.all("Desk \(index)")) }
        #expect(lan.news().filter { $0.hasPrefix("+") }.count == 3)
        let before = lan.losses
        #expect(before.entries == 7, "once each, and not with every record")
        for index in 0..<10 { try lan.answer(id: id, [LAN.address("h2.local", UInt32(index) + 1)]) }
        let news = lan.news()
        #expect(news.last { $0.hasPrefix("+") }?.split(separator: ",").count == 2)
        #expect(news.count { $0 == "!" } == 1, "told once")
        #expect(lan.losses.entries == before.entries + 9, "and counted: one of the ten found room")
        let other6 = DNSRecord(name: try LAN.name("h2.local"), ttl: 10, data: .aaaa(0x2001_0DB8 << 96 | 1))
        try lan.answer(id: id, [other6])
        #expect(lan.news().last?.split(separator: ",").count == 3, "the other family has room of its own")

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
        #expect((1...3).contains(small.news().filter { $0.hasPrefix("+") }.count))
        #expect(small.losses.entries >= 7, "those that found no room")
    }

    @Test("past the limit whoever brought most loses what came last, but not what is kept; it is told once")
    func roomForOthers() throws {
        var lan = try LAN(configuration: OneShotConfiguration(maximumInstances: 4))
        let id = try lan.id()
        for index in 0..<10 { try lan.answer(id: id, LAN.all("Forged \(index)"), from: "10.99.6.6") }
        #expect(lan.news().count == 5)
        #expect(lan.losses.entries >= 6)
        for name in ["Forged 1", "Forged 2", "Forged 3", "Real"] {
            lan.query.protect(try ServiceInstance(name: name, type: ServiceType(LAN.type)), true)
        }
        try lan.answer(id: id, LAN.all("Real"))
        #expect(lan.news() == ["-Forged 0 eth0/ipv4 withdrawn", "+Real eth0/ipv4 18789 10.99.0.2"])
        try lan.answer(id: id, LAN.all("Other"), from: "10.99.0.3")
        #expect(lan.news().isEmpty, "all that is there is kept")
        lan.query.protect(try ServiceInstance(name: "Forged 2", type: ServiceType(LAN.type)), false)
        try lan.answer(id: id, LAN.all("Other"), from: "10.99.0.3")
        #expect(lan.news() == ["-Forged 2 eth0/ipv4 withdrawn", "+Other eth0/ipv4 18789 10.99.0.2"])
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
        let news = lan.news()
        #expect(news.filter { $0.hasPrefix("+A") || $0.hasPrefix("+B") }.count == 4)
        #expect(news.filter { $0.hasPrefix("+C") }.isEmpty)
    }

    @Test("tells nothing more of what the backend sees, and asks for it no more")
    func confirmed() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        #expect(lan.news().count == 1)
        let desk = try ServiceInstance(name: "Desk", type: ServiceType(LAN.type))
        lan.query.confirm(desk, on: LAN.path)
        _ = lan.packets()
        try lan.pass(.milliseconds(300))
        #expect(lan.packets() == 1)
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.seconds(3_600))
        #expect(lan.packets() == 0)
        #expect(lan.news().isEmpty)
    }

    @Test("asks every 8 s for what the backend does not see, warns once, and takes back what is silent twice")
    func checks() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.milliseconds(300))
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        _ = lan.news()
        _ = lan.packets()
        for round in 0..<3 {
            try lan.pass(round == 0 ? .milliseconds(7_800) : .seconds(8))
            #expect(lan.questions() == ["_openclaw._tcp.local PTR"], "round \(round)")
            try lan.answer(id: id, [LAN.pointer("Desk")])
            try lan.pass(.seconds(1))
            #expect(lan.news() == (round == 1 ? ["!notConfirmed"] : []))
        }
        try lan.pass(.seconds(9))
        #expect(lan.questions() == ["_openclaw._tcp.local PTR", "Desk._openclaw._tcp.local SRV"])
        #expect(lan.news().isEmpty)
        try lan.pass(.seconds(9))
        #expect(lan.news() == ["-Desk eth0/ipv4 unanswered"])
        _ = lan.packets()
        try lan.pass(.seconds(3_600))
        #expect(lan.packets() == 2, "it may be starting anew")
    }

    @Test("what is gone from one path is asked for soon on those that the backend does not see")
    func goneElsewhere() throws {
        let other = ServicePath(interface: LAN.eth1, family: .ipv4)
        var lan = try LAN(links: [LAN.link(), LAN.link(LAN.eth1, ["10.99.0.9"])])
        let desk = try ServiceInstance(name: "Desk", type: ServiceType(LAN.type))
        for path in [LAN.path, other] {
            try lan.answer(id: lan.id(path), LAN.all("Desk"), interface: path.interface.index, on: path)
        }
        lan.query.confirm(desk, on: LAN.path)
        _ = lan.news()
        lan.query.forget(desk, on: LAN.path, now: lan.now)
        #expect(lan.news().isEmpty)
        try lan.pass(.milliseconds(2_100))
        #expect(lan.news() == ["-Desk eth1/ipv4 unanswered"])
    }

    @Test("what leads to nobody who answers is asked for by name, and is gone two seconds later if it is silent")
    func reconfirmed() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk") + LAN.all("Shelf"))
        try lan.pass(.seconds(1))
        _ = lan.news()
        for name in ["Desk", "Shelf"] {
            lan.query.reconfirm(try ServiceInstance(name: name, type: ServiceType(LAN.type)), now: lan.now)
        }
        try lan.pass(.milliseconds(1_100))
        try lan.answer(id: lan.id(), LAN.all("Shelf"))
        try lan.pass(.milliseconds(1_000))
        #expect(lan.news() == ["-Desk eth0/ipv4 unanswered"])
    }

    @Test("what says goodbye and does not answer to its name is gone two seconds later")
    func goodbyes() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk") + LAN.all("Shelf"))
        try lan.pass(.seconds(1))
        #expect(!lan.isListening, "the backend may be about to see it")
        try lan.pass(.seconds(4))
        #expect(lan.isListening)
        _ = (lan.news(), lan.packets())
        try lan.goodbye("Desk", from: "10.99.0.1")
        try lan.goodbye("Nobody")
        try lan.pass(.milliseconds(1_500))
        #expect(lan.packets() == 0, "what this host says is the backend's business")
        try lan.goodbye("Desk")
        try lan.pass(.seconds(1))
        try lan.pass(.milliseconds(300))
        #expect(lan.questions() == ["Desk._openclaw._tcp.local SRV", "Desk._openclaw._tcp.local SRV"])
        try lan.pass(.milliseconds(700))
        #expect(lan.news() == ["-Desk eth0/ipv4 unanswered"])
    }

    @Test("a goodbye for what answers changes nothing, and however many there are cost a question a second")
    func forgedGoodbyes() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.milliseconds(2_500))
        _ = (lan.news(), lan.packets())
        for _ in 0..<200 {
            try lan.goodbye("Desk")
            try lan.pass(.milliseconds(50))
            if !lan.sent.isEmpty { try lan.answer(id: lan.id(), [LAN.location("Desk")]) }
        }
        #expect(lan.packets() <= 12)
        #expect(!lan.news().contains { $0.hasPrefix("-") })
    }

    @Test("when the backend sees everything the group is not heard any more")
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

    @Test("nor when the last has gone without a word, or the backend sees it during a check", arguments: [false, true])
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

    @Test("what said goodbye since it was starting anew is found again")
    func restart() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        try lan.pass(.seconds(3))
        try lan.goodbye("Desk")
        try lan.pass(.seconds(3))
        #expect(lan.news().last == "-Desk eth0/ipv4 unanswered")
        _ = lan.packets()
        try lan.pass(.seconds(10))
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        #expect(lan.news() == ["+Desk eth0/ipv4 18789 10.99.0.2"])
    }

    @Test("a goodbye is nobody's end who only missed a check")
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
        #expect(!lan.news().contains { $0.hasPrefix("-") })
    }

    @Test("a service on two paths is one service in the warning")
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

    @Test("an answer by name counts as well")
    func answerByName() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        for _ in 0..<5 {
            try lan.pass(.milliseconds(8_500))
            try lan.answer(id: id, [LAN.location("Desk")])
            try lan.pass(.milliseconds(600))
        }
        #expect(lan.news() == ["+Desk eth0/ipv4 18789 10.99.0.2", "!notConfirmed"])
    }

    @Test("with many rows it asks less often, and drops none")
    func manyRows() throws {
        var lan = try LAN(configuration: OneShotConfiguration(checksPerSecond: 1))
        let id = try lan.id()
        for index in 0..<60 { try lan.answer(id: id, LAN.all("Desk \(index)")) }
        try lan.pass(.milliseconds(300))
        _ = lan.packets()
        // The first check is set when there is one row.
        try lan.pass(.seconds(9))
        for index in 0..<60 { try lan.answer(id: id, [LAN.pointer("Desk \(index)")]) }
        _ = lan.packets()
        try lan.pass(.seconds(50))
        for index in 0..<60 { try lan.answer(id: id, [LAN.pointer("Desk \(index)")]) }
        _ = lan.packets()
        #expect(lan.news().filter { $0.hasPrefix("-") }.isEmpty)
        try lan.pass(.seconds(59))
        #expect(lan.packets() > 0)
    }

    @Test("finds what comes new while the backend does not work")
    func backendDown() throws {
        var lan = try LAN()
        try lan.pass(.seconds(1))
        _ = lan.packets()
        lan.query.backendChanged(isRunning: false, isBusy: false, now: lan.now)
        try lan.pass(.seconds(2))
        let id = try lan.id()
        #expect((1...3).contains(lan.packets()))
        try lan.answer(id: id, LAN.all("New"))
        #expect(lan.news() == ["+New eth0/ipv4 18789 10.99.0.2"])
        lan.query.backendChanged(isRunning: true, isBusy: false, now: lan.now)
        lan.query.confirm(try ServiceInstance(name: "New", type: ServiceType(LAN.type)), on: LAN.path)
        try lan.pass(.seconds(20))
        _ = lan.packets()
        try lan.pass(.seconds(100))
        #expect(lan.packets() == 0)
    }

    @Test("leaves a backend alone that is about to see for itself, and not for ever")
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

    @Test("takes back what was seen through an interface that is gone, and asks on one that is new")
    func links() throws {
        var lan = try LAN()
        try lan.answer(id: lan.id(), LAN.all("Desk"))
        _ = lan.news()
        _ = lan.packets()
        try lan.perform(lan.query.setLinks([LAN.link(LAN.eth1, ["10.100.0.1"])], now: lan.now))
        #expect(lan.news() == ["-Desk eth0/ipv4 interfaceDown"])
        #expect(lan.sent.map(\.path.interface) == [LAN.eth1])
        #expect(lan.query.activePaths.map(\.interface) == [LAN.eth1])
    }

    @Test("asks for the address of a host that an instance has moved to, if that came without one")
    func movedHost() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.milliseconds(300))
        _ = lan.news()
        _ = lan.questions()
        try lan.answer(id: id, [LAN.location("Desk", host: "moved.local")])
        try lan.pass(.milliseconds(20))
        #expect(lan.questions() == ["moved.local A", "moved.local AAAA"])
        try lan.answer(id: id, [LAN.address("moved.local", 0x0A63_0009)])
        #expect(lan.news() == ["+Desk eth0/ipv4 18789 10.99.0.9"])
    }

    @Test("lets go of what was listed once, is incomplete, and is not listed any more")
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

    @Test("lets go of an address that a host has told of others without in two checks")
    func changedAddress() throws {
        var lan = try LAN()
        let id = try lan.id()
        try lan.answer(id: id, LAN.all("Desk"))
        try lan.pass(.milliseconds(300))
        #expect(lan.news() == ["+Desk eth0/ipv4 18789 10.99.0.2"])
        var told: [String] = []
        // Every four seconds, so that each check has an answer.
        for _ in 0..<8 {
            try lan.pass(.seconds(4))
            try lan.answer(id: id, LAN.all("Desk").dropLast() + [LAN.address("h2.local", 0x0A63_0009)])
            told += lan.news().filter { $0.hasPrefix("+") }
        }
        #expect(told == ["+Desk eth0/ipv4 18789 10.99.0.2,10.99.0.9", "+Desk eth0/ipv4 18789 10.99.0.9"])
    }

    @Test("asks by multicast where it is silent also after an answer was cut elsewhere")
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

    @Test("survives any packets: 1,500, mutated, in any order with everything else")
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
            _ = lan.news()
        }
        #expect(lan.query.activePaths.count <= 1)
    }
}
