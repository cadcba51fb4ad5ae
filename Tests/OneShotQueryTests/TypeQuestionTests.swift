import DNSSD
import HostSystem
import TestSupport
import Testing

@testable import Discovery

/// The question for the service types of the link (RFC 6763 §9).
@Suite(.timeLimit(.minutes(1))) struct TypeQuestionTests {
    private static let list: DomainName = "_services._dns-sd._udp.local"
    private static let link = Link(
        interface: Samples.interface,
        prefixes: [Link.Prefix(address: .v4(IPv4Address(bits: 0x0A00_0001)), length: 24)]
    )
    private static let source = SocketAddress(.v4(IPv4Address(bits: 0x0A00_0002)), port: 5_353)

    private static func answer(
        _ types: [DomainName],
        of name: DomainName = list,
        ttl: UInt32 = 10,
        id: UInt16 = 7
    ) -> [UInt8] {
        let records = types.map { DNSRecord(name: name, ttl: ttl, data: .ptr($0)) }
        return DNSMessage(id: id, flags: .authoritativeResponse, answers: records).encoded().bytes
    }

    /// It asks for the list of RFC 6763 §9, which each responder answers with its own types.
    @Test func itAsksForTheListOfTypes() throws {
        let asked = try TypeQuestion(id: 7).packets.flatMap { try DNSMessage(decoding: $0).questions }
        #expect(asked.map(\.name) == [Self.list])
        #expect(asked.map(\.type) == [.ptr])
    }

    /// The types of several hosts are one sorted list.
    @Test func theTypesOfAllHostsAreOneList() {
        var question = TypeQuestion(id: 7)
        question.receive(Self.answer(["_ssh._tcp.local", "_ipp._tcp.local"]), from: Self.source, on: Self.link)
        question.receive(Self.answer(["_IPP._tcp.local", "_sleep-proxy._udp.local"]), from: Self.source, on: Self.link)
        #expect(question.answers.map(\.description) == ["_ipp._tcp", "_sleep-proxy._udp", "_ssh._tcp"])
    }

    /// An answer to another question, one that has ended, or no type is left out.
    @Test func onlyTypesAreTaken() {
        var question = TypeQuestion(id: 7)
        question.receive(Self.answer(["_ipp._tcp.local"], id: 8), from: Self.source, on: Self.link)
        question.receive(Self.answer(["_ipp._tcp.local"], of: "other.local"), from: Self.source, on: Self.link)
        question.receive(Self.answer(["_ipp._tcp.local"], ttl: 0), from: Self.source, on: Self.link)
        question.receive(
            Self.answer(["ipp.local", "_ipp._tcp.example", "_a._sub._ipp._tcp.local", "_ipp._sctp.local"]),
            from: Self.source,
            on: Self.link
        )
        #expect(question.answers.isEmpty)
    }

    /// The number of types is limited, however many a hostile host makes up.
    @Test func typesAreLimited() throws {
        var question = TypeQuestion(id: 7)
        for number in 0..<1_000 {
            question.receive(
                Self.answer([try DomainName(escaped: "_t\(number)._tcp.local")]),
                from: Self.source,
                on: Self.link
            )
        }
        #expect(question.answers.count == TypeQuestion.mostTypes)
    }

    /// An answer does not end the look-up: other hosts may have other types.
    @Test func anAnswerDoesNotEndIt() async throws {
        let clock = TurnedClock()
        let lookup = try #require(LinkLookup(TypeQuestion(id: 7), within: .seconds(2), clock: clock))
        let end = await lookup.deadline
        await lookup.receive(Self.answer(["_ipp._tcp.local"]), from: Self.source, on: Self.link)
        #expect(await lookup.deadline == end)
        clock.turn(by: .seconds(2))
        await lookup.turn()
        var found: [ServiceType] = []
        for await types in lookup.answers { found = types }
        #expect(found.map(\.description) == ["_ipp._tcp"])
        await lookup.close()
    }
}
