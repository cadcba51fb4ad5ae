internal import DNSSD
internal import DNSSamples
internal import Testing

@Suite("Captured packets") struct CapturedPacketTests {
    private let type: DomainName
    private let instance: DomainName
    private let host: DomainName

    init() throws {
        type = try DomainName(escaped: "_openclaw._tcp.local")
        instance = try type.prepending("Küche.Gateway".utf8)
        host = try DomainName(escaped: "h2.local")
    }

    @Test("reads Avahi's probe, which asks for any type and claims SRV and TXT")
    func probe() throws {
        let message = try DNSMessage(decoding: DNSSamples.avahiProbe)
        #expect(message.questions == [DNSQuestion(name: instance, type: .any)])
        #expect(message.answers.isEmpty && message.additionals.isEmpty)
        #expect(message.authorities.map(\.type) == [.srv, .txt])
        #expect(message.authorities.allSatisfy { $0.name == instance && $0.ttl == 120 || $0.type == .txt })
        #expect(message.authorities.first?.data == .srv(SRVData(port: 18_789, target: host)))
    }

    @Test("reads Avahi's announcement, with the cache-flush bit on unique records only")
    func service() throws {
        let message = try DNSMessage(decoding: DNSSamples.avahiService)
        #expect(message.flags == .authoritativeResponse)
        #expect(message.answers.map(\.type) == [.txt, .ptr, .srv, .aaaa, .a, .ptr])
        #expect(message.answers.map(\.isCacheFlush) == [true, false, true, true, true, false])
        #expect(message.answers.allSatisfy { $0.dnsClass == .internet })
        #expect(message.answers[1].data == .ptr(instance))
        #expect(message.answers[3].data == .aaaa(0xFE80_0000_0000_0000_7475_E3FF_FEAD_1944))
        #expect(message.answers[4].data == .a(0x0A63_0002))
        #expect(message.answers[5].name == (try DomainName(escaped: "_services._dns-sd._udp.local")))
    }

    @Test("reads Avahi's query with its known answers")
    func query() throws {
        let message = try DNSMessage(decoding: DNSSamples.avahiQuery)
        #expect(message.questions == [DNSQuestion(name: type, type: .ptr)])
        #expect(message.answers.count == 3)
        #expect(message.answers.allSatisfy { message.questions[0].isAnswered(by: $0) })
    }

    @Test("reads legacy answers, which have the query's ID and question and no cache-flush bit")
    func legacyAnswers() throws {
        for bytes in [DNSSamples.avahiLegacyAnswer, DNSSamples.zeroconfLegacyAnswer] {
            let message = try DNSMessage(decoding: bytes)
            #expect(message.id == 0x1234)
            #expect(message.questions == [DNSQuestion(name: type, type: .ptr)])
            #expect((message.answers + message.additionals).allSatisfy { !$0.isCacheFlush })
        }
        let avahi = try DNSMessage(decoding: DNSSamples.avahiLegacyAnswer)
        #expect(avahi.answers.map(\.type) == [.ptr, .txt, .srv, .aaaa, .a])
        #expect(avahi.answers.allSatisfy { $0.ttl == 10 })
    }

    @Test("reads compressed names in the SRV and NSEC records of python-zeroconf")
    func compressedData() throws {
        let message = try DNSMessage(decoding: DNSSamples.zeroconfLegacyAnswer)
        let host = try DomainName(escaped: "h3-zeroconf.local")
        let services = message.additionals.compactMap { record -> SRVData? in
            if case .srv(let srv) = record.data { srv } else { nil }
        }
        #expect(services == [SRVData(port: 19_000, target: host), SRVData(port: 19_001, target: host)])
        let nsec = message.additionals.compactMap { record -> NSECData? in
            if case .nsec(let nsec) = record.data { nsec } else { nil }
        }
        #expect(nsec.map(\.nextName) == [host])
        // The host has IPv4 addresses only, and denies IPv6 addresses with this record.
        #expect(nsec.first?.types == [.a])
    }

    @Test("encodes captured messages in no more bytes and without changes", arguments: DNSSamples.captured)
    func again(bytes: [UInt8]) throws {
        let message = try DNSMessage(decoding: bytes)
        let encoded = message.encoded(compression: .multicast)
        #expect(encoded.isComplete)
        #expect(encoded.bytes.count <= bytes.count)
        #expect(try DNSMessage(decoding: encoded.bytes) == message)
    }
}
