internal import DNSSD
internal import DNSSamples
internal import TestSupport
internal import Testing

@Suite("Encoding") struct EncodingTests {
    private static let forms = [DNSNameCompression.none, .unicast, .multicast]

    @Test("decodes every kind of record to the same one, with each compression", arguments: forms)
    func roundTrip(compression: DNSNameCompression) throws {
        for message in try DNSSamples.messages() {
            let encoded = message.encoded(compression: compression)
            #expect(encoded.isComplete)
            #expect(encoded.counts == message.counts)
            #expect(try DNSMessage(decoding: encoded.bytes) == message)
        }
    }

    @Test("compresses names as in the example of RFC 1035 §4.1.4")
    func example() throws {
        let names = try ["zz", "F.ISI.ARPA", "FOO.F.ISI.ARPA", "ARPA", ""].map { try DomainName(escaped: $0) }
        let message = DNSMessage(questions: names.map { DNSQuestion(name: $0, type: .ptr) })
        var expected: [UInt8] = [0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0]
        let wires: [[UInt8]] = [
            [2, 0x7A, 0x7A, 0], [1, 0x46, 3, 0x49, 0x53, 0x49, 4, 0x41, 0x52, 0x50, 0x41, 0],
            [3, 0x46, 0x4F, 0x4F, 0xC0, 20], [0xC0, 26], [0],
        ]
        for wire in wires { expected += wire + [0, 12, 0, 1] }
        #expect(message.encoded().bytes == expected)
    }

    @Test("compresses SRV and NSEC data in multicast DNS only, and preserves upper case")
    func compressionOfData() throws {
        let host = try DomainName(escaped: "Host.local")
        let message = DNSMessage(answers: [
            DNSRecord(name: host, ttl: 1, data: .srv(SRVData(port: 1, target: host))),
            DNSRecord(name: host, ttl: 1, data: .nsec(NSECData(nextName: host, types: [.srv]))),
            DNSRecord(name: try DomainName(escaped: "host.local"), ttl: 1, data: .ptr(host)),
        ])
        let unicast = message.encoded(compression: .unicast).bytes
        let multicast = message.encoded(compression: .multicast).bytes
        #expect(unicast.count - multicast.count == 2 * (host.wire.count - 2))
        // "host" and "Host" are different labels; "local" is shared.
        #expect(try DNSMessage(decoding: multicast).answers[2].name.wire == DomainName(escaped: "host.local").wire)
        #expect(message.encoded(compression: .none).bytes.contains(0xC0) == false)
    }

    @Test("compresses names late in a message with pointers to its beginning, and to nothing past offset 16,383")
    func longMessage() throws {
        let type = try DomainName(escaped: "_openclaw._tcp.local")
        var message = DNSMessage()
        for index in 0..<800 {
            message.answers.append(
                DNSRecord(name: type, ttl: 1, data: .ptr(try type.prepending("Gateway number \(index)".utf8)))
            )
        }
        // The records of the second half are beyond the offsets that a pointer can contain.
        message.answers += message.answers
        let encoded = message.encoded()
        let (isComplete, count) = (encoded.isComplete, encoded.bytes.count)
        #expect(isComplete)
        #expect(count > 0x4000)
        let isTheSame = try DNSMessage(decoding: encoded.bytes) == message
        #expect(isTheSame)
    }

    @Test("keeps to its limit, returns the counts that fitted, and sets TC", arguments: forms)
    func limits(compression: DNSNameCompression) throws {
        for message in try DNSSamples.messages() {
            let whole = message.encoded(compression: compression).bytes.count
            for limit in 12..<whole {
                let cut = message.encoded(limit: limit, compression: compression)
                #expect(cut.bytes.count <= limit)
                #expect(!cut.isComplete)
                let read = try DNSMessage(decoding: cut.bytes)
                #expect(read.counts == cut.counts)
                #expect(read.questions == Array(message.questions.prefix(cut.counts.questions)))
                #expect(read.answers == Array(message.answers.prefix(cut.counts.answers)))
                #expect(read.authorities == Array(message.authorities.prefix(cut.counts.authorities)))
                #expect(read.additionals == Array(message.additionals.prefix(cut.counts.additionals)))
                // Additional records are optional, so that leaving them out does not set TC.
                let isMissed =
                    cut.counts.authorities < message.authorities.count
                    || cut.counts.answers < message.answers.count || cut.counts.questions < message.questions.count
                #expect(read.flags.isTruncated == isMissed)
            }
        }
    }

    @Test("never points to names of a record that did not fit and was removed")
    func takenBack() throws {
        let name = try DomainName(escaped: "Some quite long instance name._openclaw._tcp.local")
        let small = DNSRecord(name: try DomainName(escaped: "a.local"), ttl: 1, data: .a(1))
        var encoder = DNSMessageEncoder(limit: 80, compression: .multicast)
        let big = DNSRecord(name: name, ttl: 1, data: .txt([UInt8](repeating: 0, count: 60)))
        let other = DNSRecord(name: try DomainName(escaped: "b._tcp.local"), ttl: 1, data: .a(2))
        let areIn = [small, big, other].map { encoder.append($0, to: .answers) }
        #expect(areIn == [true, false, true])
        let message = try DNSMessage(decoding: encoder.finish())
        #expect(message.answers.map(\.name.escaped) == ["a.local", "b._tcp.local"])
    }

    @Test("accepts sections in their order only")
    func order() throws {
        let record = DNSRecord(name: .root, ttl: 1, data: .a(1))
        var encoder = DNSMessageEncoder()
        #expect(encoder.isEmpty)
        let question = DNSQuestion(name: .root, type: .a)
        let areIn = [
            encoder.append(question),
            encoder.append(record, to: .authorities),
            encoder.append(record, to: .answers),
            encoder.append(question),
            encoder.append(record, to: .additionals),
        ]
        #expect(areIn == [true, true, false, false, true])
        #expect(encoder.counts == DNSSectionCounts(questions: 1, answers: 0, authorities: 1, additionals: 1))
    }

    @Test("leaves out a record that is too large for any message")
    func hugeRecord() throws {
        let huge = DNSRecord(name: .root, ttl: 1, data: .txt([UInt8](repeating: 7, count: 70_000)))
        let small = DNSRecord(name: .root, ttl: 1, data: .a(1))
        let encoded = DNSMessage(answers: [small, huge, small]).encoded()
        #expect(!encoded.isComplete)
        #expect(try DNSMessage(decoding: encoded.bytes).answers == [small])
    }

    @Test("decodes random messages with shared names to the same messages")
    func randomMessages() throws {
        var generator = SeededGenerator.forFuzzing("Encoding")
        let labels = ["a", "b", "A", "local", "_tcp", "\u{0}", String(repeating: "x", count: 40)]
        func name() throws -> DomainName {
            let count = Int(generator.next() % 5)
            return try DomainName(
                labels: (0..<count).map { _ in
                    Array(labels[Int(generator.next() % UInt64(labels.count))].utf8)
                }
            )
        }
        for _ in 0..<TestCases.count(1_000) {
            var message = DNSMessage(id: UInt16(truncatingIfNeeded: generator.next()))
            message.questions = [DNSQuestion(name: try name(), type: .any)]
            for _ in 0..<generator.next() % 12 {
                let data: DNSRecordData
                switch generator.next() % 4 {
                case 0: data = .ptr(try name())
                case 1: data = .srv(SRVData(port: 9, target: try name()))
                case 2: data = .nsec(NSECData(nextName: try name(), types: [.a, DNSRecordType(rawValue: 700)]))
                default: data = .txt(generator.bytes(upTo: 40))
                }
                message.answers.append(DNSRecord(name: try name(), ttl: 1, data: data))
            }
            if let complaint = DNSSamples.complaint(about: message) { Issue.record("\(complaint): \(message)") }
        }
    }
}
