internal import DNSMessages
internal import TestSupport
internal import Testing

@Suite("DNSName") struct DNSNameTests {
    @Test("keeps the bytes of its labels exactly")
    func bytes() throws {
        let name = try DNSName(labels: [Array("Küche".utf8), [0, 0xFF, 0x2E], Array("local".utf8)])
        #expect(name.wire == [6] + Array("Küche".utf8) + [3, 0, 0xFF, 0x2E, 5] + Array("local".utf8) + [0])
        #expect(name.labels.map { Array($0) } == [Array("Küche".utf8), [0, 0xFF, 0x2E], Array("local".utf8)])
        #expect(name.escaped == #"K\195\188che.\000\255\..local"#)
        #expect(try DNSName(escaped: name.escaped).wire == name.wire)
        #expect(try DNSName(wire: name.wire).wire == name.wire)
    }

    @Test("folds the 26 ASCII letters and nothing else when it compares")
    func comparison() throws {
        let name = try DNSName(escaped: "Desk._OpenClaw._tcp.LOCAL")
        let other = try DNSName(escaped: "dESK._openclaw._TCP.local.")
        #expect(name == other)
        #expect(name.hashValue == other.hashValue)
        #expect(name.wire != other.wire)
        // Ä and ä differ in one bit, [ and { too.
        #expect(try DNSName(escaped: "Ä.local") != DNSName(escaped: "ä.local"))
        #expect(try DNSName(escaped: "[.local") != DNSName(escaped: "{.local"))
        #expect(try DNSName(escaped: "@.local") != DNSName(escaped: "`.local"))
        // The same bytes behind one another, cut into labels elsewhere.
        #expect(try DNSName(escaped: "ab.c") != DNSName(escaped: "a.bc"))
    }

    @Test("has at most 63 bytes in a label and 255 in all")
    func limits() throws {
        let label = [UInt8](repeating: 0x61, count: 63)
        let longest = try DNSName(labels: [label, label, label, Array(label[..<61])])
        #expect(longest.wire.count == 255)
        #expect(throws: DNSMessageError(.nameTooLong, at: 192)) {
            try DNSName(labels: [label, label, label, Array(label[..<62])])
        }
        #expect(throws: DNSMessageError(.nameTooLong, at: 2)) { try longest.prepending([0x62]) }
        #expect(throws: DNSMessageError(.labelTooLong, at: 0)) { try DNSName(labels: [label + [0x61]]) }
        #expect(throws: DNSMessageError(.emptyLabel, at: 2)) { try DNSName(labels: [[0x61], []]) }
        #expect(throws: DNSMessageError(.nameTooLong, at: 255)) {
            try DNSName(wire: [UInt8](repeating: 1, count: 300))
        }
        #expect(throws: DNSMessageError(.truncated, at: 2)) { try DNSName(wire: [1, 0x61]) }
        #expect(throws: DNSMessageError(.truncated, at: 0)) { try DNSName(wire: []) }
        #expect(throws: DNSMessageError(.nameTooLong, at: 1)) { try DNSName(wire: [0, 0]) }
        #expect(throws: DNSMessageError(.reservedLabelType, at: 2)) { try DNSName(wire: [1, 0x61, 0xC0, 12]) }
    }

    @Test(
        "reads escaped text",
        arguments: [
            ("", [0]), (".", [0]), ("a.b.", [1, 0x61, 1, 0x62, 0]), (#"a\.b"#, [3, 0x61, 0x2E, 0x62, 0]),
            (#"\065"#, [1, 0x41, 0]), (#"\\"#, [1, 0x5C, 0]),
        ] as [(String, [UInt8])]
    )
    func escapedText(text: String, wire: [UInt8]) throws {
        #expect(try DNSName(escaped: text).wire == wire)
    }

    @Test(
        "refuses text that is no name",
        arguments: [
            ("a..b", .emptyLabel), (".a", .emptyLabel), (#"a\"#, .invalidEscape), (#"\25"#, .invalidEscape),
            (#"\256"#, .invalidEscape), (#"\2a5"#, .invalidEscape), (String(repeating: "a", count: 64), .labelTooLong),
            (String(repeating: "a.", count: 128), .nameTooLong), (String(repeating: "a", count: 2_000), .labelTooLong),
        ] as [(String, DNSMessageError.Code)]
    )
    func badText(text: String, code: DNSMessageError.Code) {
        #expect { try DNSName(escaped: text) } throws: { ($0 as? DNSMessageError)?.code == code }
    }

    @Test("knows what is below it, by labels and not by bytes")
    func within() throws {
        let type = try DNSName(escaped: "_openclaw._tcp.local")
        #expect(try DNSName(escaped: "Desk._OPENCLAW._tcp.local").isWithin(type))
        #expect(type.isWithin(type))
        #expect(type.isWithin(.root))
        #expect(!type.isWithin(try DNSName(escaped: "Desk._openclaw._tcp.local")))
        #expect(try !DNSName(escaped: "x_openclaw._tcp.local").isWithin(DNSName(escaped: "_openclaw._tcp.local")))
        // The end of a label that looks like the other name's wire form.
        let sly = try DNSName(labels: [[0x61] + [5] + Array("local".utf8)])
        #expect(try !sly.isWithin(DNSName(escaped: "local")))
        #expect(type.parent?.parent?.parent?.isRoot == true)
        #expect(DNSName.root.parent == nil)
    }

    @Test("survives any bytes, and what it accepts it gives back")
    func anything() {
        var generator = SeededGenerator.forFuzzing("DNSName")
        for _ in 0..<TestCases.count(20_000) {
            let bytes = generator.bytes(upTo: 270)
            guard let name = try? DNSName(wire: bytes) else { continue }
            #expect(name.wire == bytes)
            #expect((try? DNSName(escaped: name.escaped))?.wire == bytes)
            #expect((try? DNSName(labels: name.labels))?.wire == bytes)
        }
    }
}
