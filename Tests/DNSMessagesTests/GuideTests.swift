import DNSSD
import TestSupport
import Testing

// The code up to the suite repeats the listings of Sources/DNSSD/DNSSD.docc/DNSMessages word for word, and has to be
// changed together with them.

func question(for type: String) throws -> [UInt8] {
    var query = DNSMessage(id: 4711)
    query.questions = [DNSQuestion(name: try DomainName(escaped: "\(type).local"), type: .ptr)]
    return query.encoded().bytes
}

func instances(in packet: [UInt8]) throws -> [DomainName] {
    try DNSReceivedMessage(decoding: packet).message.answers.compactMap { record in
        guard case .ptr(let name) = record.data else { return nil }
        return name
    }
}

/// The listings of the guide compile, and do what the guide says.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "DNSSD/DNSMessages")
        #expect(listings.count == 1)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    @Test func aQuestionIsReadBack() throws {
        let message = try DNSMessage(decoding: try question(for: "_openclaw._tcp"))
        #expect(message.id == 4711)
        #expect(message.questions.map(\.name) == [try DomainName(escaped: "_openclaw._tcp.local")])
    }

    @Test func theInstancesOfAnAnswerAreItsPTRRecords() throws {
        let type = try DomainName(escaped: "_openclaw._tcp.local")
        let instance = try DomainName(escaped: "Den._openclaw._tcp.local")
        var answer = DNSMessage()
        answer.answers = [DNSRecord(name: type, ttl: 4_500, data: .ptr(instance))]
        #expect(try instances(in: answer.encoded().bytes) == [instance])
        #expect(throws: DNSMessageError.self) { try instances(in: [1, 2, 3]) }
    }
}
