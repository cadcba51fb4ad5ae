internal import DNSSD
internal import DNSSamples
internal import TestSupport
internal import Testing

@Suite("Decoding") struct DecodingTests {
    /// Returns a header with the given counts.
    private func header(
        _ questions: UInt8,
        _ answers: UInt8,
        _ authorities: UInt8 = 0,
        _ additionals: UInt8 = 0
    ) -> [UInt8] {
        [0, 0, 0, 0, 0, questions, 0, answers, 0, authorities, 0, additionals]
    }

    /// Returns a question with a name of the given bytes.
    private func question(_ name: [UInt8]) -> [UInt8] { name + [0, 12, 0, 1] }

    /// Returns a message with one answer: owner "a", the given type, class IN, TTL 1 and the given data.
    private func answer(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
        header(0, 1) + [1, 0x61, 0, 0, type, 0, 1, 0, 0, 0, 1, 0, UInt8(data.count)] + data
    }

    private func error(_ bytes: [UInt8]) -> DNSMessageError? {
        do throws(DNSMessageError) { _ = try DNSMessage(decoding: bytes) } catch { return error }
        return nil
    }

    /// A sender that does not compress names must not make each record keep a name of its own.
    @Test("names that are written out again share one buffer")
    func namesThatAreWrittenOutAgain() throws {
        let name: [UInt8] = [4, 0x48, 0x6F, 0x6D, 0x65, 0]
        let message = try DNSMessage(decoding: header(3, 0) + question(name) + question([1, 0x61, 0]) + question(name))
        let addresses = message.questions.map { $0.name.wire.withUnsafeBufferPointer { $0.baseAddress } }
        #expect(message.questions.map(\.name.wire) == [name, [1, 0x61, 0], name])
        #expect(addresses[0] == addresses[2] && addresses[0] != addresses[1])
    }

    @Test("reads the names of RFC 1035 §4.1.4: F.ISI.ARPA, FOO.F.ISI.ARPA, ARPA and the root")
    func example() throws {
        // In the RFC, the names begin at offset 20; a first question of eight bytes fills the gap.
        var bytes = header(5, 0)
        bytes += question([2, 0x7A, 0x7A, 0])
        #expect(bytes.count == 20)
        bytes += question([1, 0x46, 3, 0x49, 0x53, 0x49, 4, 0x41, 0x52, 0x50, 0x41, 0])
        bytes += question([3, 0x46, 0x4F, 0x4F, 0xC0, 20])
        bytes += question([0xC0, 26])
        bytes += question([0])
        let names = try DNSMessage(decoding: bytes).questions.map(\.name.escaped)
        #expect(names == ["zz", "F.ISI.ARPA", "FOO.F.ISI.ARPA", "ARPA", ""])
    }

    @Test("refuses pointers to themselves, to one another, forward and into the header")
    func pointers() {
        #expect(error(header(1, 0) + question([0xC0, 12])) == DNSMessageError(.forwardPointer, at: 12))
        #expect(error(header(1, 0) + question([1, 0x61, 0xC0, 12])) == DNSMessageError(.forwardPointer, at: 14))
        #expect(error(header(2, 0) + question([0xC0, 18]) + question([0xC0, 12]))?.code == .forwardPointer)
        #expect(error(header(2, 0) + question([0xC0, 18]) + question([0]))?.code == .forwardPointer)
        #expect(error(header(1, 0) + question([0xC0, 4])) == DNSMessageError(.forwardPointer, at: 12))
        // A pointer must lead to a position before the whole name, not only before the pointer itself.
        #expect(
            error(header(1, 0) + question([1, 0x61, 1, 0x62, 0xC0, 14])) == DNSMessageError(.forwardPointer, at: 16)
        )
    }

    @Test("refuses length bytes whose first bits are 01 or 10", arguments: [0x40, 0x7F, 0x80, 0xBF] as [UInt8])
    func reservedLabelTypes(byte: UInt8) {
        #expect(error(header(1, 0) + question([byte, 0])) == DNSMessageError(.reservedLabelType, at: 12))
    }

    @Test("refuses a name that exceeds 255 bytes when its pointers are followed")
    func longNames() {
        let label = [63] + [UInt8](repeating: 0x61, count: 63)
        let first = label + label + label + [0]
        #expect(error(header(2, 0) + question(first) + question(label.dropLast(2) + [0xC0, 12]))?.code != nil)
        let fits = [60] + [UInt8](repeating: 0x62, count: 60) + [0xC0, 12] as [UInt8]
        #expect(error(header(2, 0) + question(first) + question(fits)) == nil)
        let over = [62] + [UInt8](repeating: 0x62, count: 62) + [0xC0, 12] as [UInt8]
        #expect(error(header(2, 0) + question(first) + question(over))?.code == .nameTooLong)
    }

    @Test("refuses a name with more pointers than a name can have labels")
    func pointerChain() {
        var bytes = header(0, 1) + [0, 0xFF, 0, 0, 1, 0, 0, 0, 0, 1, 0xFE]
        // A record of an unknown type contains the root and 255 pointers, each to the previous one.
        var data: [UInt8] = [0]
        let base = bytes.count
        while data.count < 511 {
            let target = data.count == 1 ? base : base + data.count - 2
            data += [0xC0 | UInt8(target >> 8), UInt8(target & 0xFF)]
        }
        bytes =
            header(0, 2) + [0, 0xFF, 0, 0, 1, 0, 0, 0, 0] + [UInt8(data.count >> 8), UInt8(data.count & 0xFF)] + data
        let start = bytes.count
        let last = start - 2
        bytes += [0xC0 | UInt8(last >> 8), UInt8(last & 0xFF), 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 1, 2, 3, 4]
        #expect(error(bytes)?.code == .tooManyPointers)
    }

    @Test(
        "refuses data that is too short or too long for its type",
        arguments: [
            (1, [1, 2, 3]), (1, [1, 2, 3, 4, 5]), (28, [UInt8](repeating: 0, count: 15)),
            (28, [UInt8](repeating: 0, count: 17)),
            (33, [0, 0, 0, 0, 0]), (33, [0, 0, 0, 0, 0, 1, 0, 0]), (12, [1, 0x62]), (12, [0, 0]), (12, []),
            (6, [0, 0, 1]), (47, [0, 0]), (47, [0, 0, 0]), (47, [0, 0, 33]), (47, [0, 0, 2, 1]),
            (47, [0, 1, 1, 0x80, 0, 1, 0x80]), (41, [0, 1, 0]), (41, [0, 1, 0, 2, 1]), (250, [0, 0]),
        ] as [(UInt8, [UInt8])]
    )
    func badData(type: UInt8, data: [UInt8]) {
        let code = error(answer(type, data))?.code
        #expect(code == .invalidRecordData || code == .truncated)
        // The record must not use the bytes that follow it either.
        #expect(error(answer(type, data) + [UInt8](repeating: 0, count: 64)) != nil)
    }

    @Test("keeps the data of unknown record types")
    func unknownType() throws {
        let message = try DNSMessage(decoding: answer(99, [0xC0, 0, 7]))
        #expect(message.answers.map(\.data) == [.other(DNSRecordType(rawValue: 99), [0xC0, 0, 7])])
        #expect(message.answers.first?.type.description == "TYPE99")
    }

    @Test("reads the topmost bit of a class as the QU or cache-flush bit")
    func classBits() throws {
        let bytes = header(1, 1) + [0, 0, 12, 0x80, 1] + [0, 0, 1, 0x80, 1, 0, 0, 0, 1, 0, 4, 1, 2, 3, 4]
        let message = try DNSMessage(decoding: bytes)
        #expect(message.questions == [DNSQuestion(name: .root, type: .ptr, isUnicastWanted: true)])
        #expect(message.answers.first?.isCacheFlush == true)
        #expect(message.answers.first?.dnsClass == .internet)
    }

    @Test("refuses counts that the message has no room for")
    func counts() {
        #expect(error([0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0])?.code == .truncated)
        #expect(error([0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])?.code == .truncated)
        #expect(error([])?.code == .truncated)
    }

    @Test("ignores bytes after the last record")
    func trailingBytes() throws {
        let bytes = DNSSamples.avahiQuery
        #expect(try DNSMessage(decoding: bytes + [1, 2, 3]) == DNSMessage(decoding: bytes))
    }

    @Test("refuses every message that is cut off")
    func prefixes() throws {
        for packet in try DNSSamples.packets() {
            _ = try DNSMessage(decoding: packet)
            for count in 0..<packet.count {
                #expect(error(Array(packet[..<count])) != nil, "\(count) of \(packet.count) bytes")
            }
        }
    }

    @Test("survives mutated packets, and can encode and decode again each message that it accepts")
    func mutations() throws {
        var generator = SeededGenerator.forFuzzing("Decoding")
        let packets = try DNSSamples.packets()
        let count = TestCases.count(20_000)
        var accepted = 0
        for _ in 0..<count {
            let original = packets[Int(generator.next() % UInt64(packets.count))]
            let packet = generator.mutatePacket(original)
            guard let message = try? DNSMessage(decoding: packet) else { continue }
            accepted += 1
            if let complaint = DNSSamples.complaint(about: message) { Issue.record("\(complaint): \(packet)") }
        }
        #expect(accepted > count / 10)
    }
}
