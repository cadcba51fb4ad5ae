internal import DNSSD
internal import Discovery
internal import Testing

/// The first questions to a host with more services than it names in one answer.
@Suite struct OneShotRestTests {
    private typealias LAN = OneShotHarness

    /// Lets a responder answer all questions until no more are asked, without any time passing, and returns the number
    /// of packets that were asked.
    private func converse(_ lan: inout LAN, with responder: CuttingResponder) throws -> Int {
        var packets = 0
        while true {
            let questions = lan.takeSent()
            if questions.isEmpty { return packets }
            packets += questions.count
            for question in questions { try lan.receive(responder.answer(question)) }
            try lan.pass(.zero)
        }
    }

    @Test("sees ten services of a host that names four in an answer, without asking by multicast")
    func ten() throws {
        let names = (0..<10).map { "Desk \($0)" }
        let responder = try CuttingResponder(names)
        let first = responder.answer(
            DNSMessage(questions: [DNSQuestion(name: try LAN.name("_openclaw._tcp.local"), type: .ptr)])
        )
        #expect(first.answers.count { $0.type == .ptr } < 6, "the answer must be cut")
        var lan = try LAN()
        #expect(try converse(&lan, with: responder) <= 5)
        // Missing records are asked for once nothing has arrived for a moment.
        try lan.pass(.milliseconds(10))
        _ = try converse(&lan, with: responder)
        let seen = lan.takeEvents().compactMap { $0.split(separator: " eth0").first }
        #expect(Set(seen) == Set(names.map { "+\($0)" }))
    }

    @Test("asks by multicast if there are too many services to ask for")
    func hundred() throws {
        var lan = try LAN()
        #expect(try converse(&lan, with: CuttingResponder((0..<100).map { "Desk \($0)" })) <= 9)
        lan.query.backendChanged(isRunning: true, isBusy: false, now: lan.now)
        try lan.pass(.zero)
        #expect(lan.multicast.count == 1)
    }

    @Test("asks nothing more after a complete answer, and not for ever if each answer names new instances")
    func bounds() throws {
        var lan = try LAN()
        let id = try lan.id()
        #expect(try converse(&lan, with: CuttingResponder(["Desk"])) == 1)
        var packets = 0
        for index in 0..<100 {
            try lan.receive(
                CuttingResponder((0..<4).map { "Forged \(index) \($0)" }).answer(
                    DNSMessage(id: id, questions: [DNSQuestion(name: try LAN.name("_openclaw._tcp.local"), type: .ptr)])
                )
            )
            try lan.pass(.zero)
            packets += lan.packets()
        }
        #expect((1...8).contains(packets))
    }
}
