import DNSSD
import Testing

@Suite struct DomainNameTests {
    @Test func readsRDATA() throws {
        let name = try DomainName(wire: [5, 0x68, 0x2E, 0xC3, 0xB6, 0x20, 5, 0x6C, 0x6F, 0x63, 0x61, 0x6C, 0, 0xFF])
        #expect(name.escaped == #"h\.ö\032.local"#)
        #expect(name.wire.count == 13)
        #expect(try DomainName(wire: name.wire) == name)
        #expect(try DomainName(escaped: name.escaped) == name)
    }

    @Test func readsTheRoot() throws {
        #expect(try DomainName(wire: [0]).isRoot)
        #expect(try DomainName(escaped: ".").wire == [0])
        #expect(try DomainName(escaped: "").escaped == "")
    }

    @Test(arguments: [
        ([], ErrorCode<DNSSDError>.truncatedName),
        ([1], .truncatedName),
        ([3, 0x61], .truncatedName),
        ([1, 0x61], .truncatedName),
        ([0xC0, 0x0C], .compressedName),
        ([64] + [UInt8](repeating: 0x61, count: 64) + [0], .compressedName),
        ([UInt8]((0..<128).flatMap { _ in [1, 0x61] as [UInt8] }) + [0], .domainNameTooLong),
    ])
    func refusesBadRDATA(bytes: [UInt8], code: ErrorCode<DNSSDError>) {
        let error = #expect(throws: DNSSDError.self) { try DomainName(wire: bytes) }
        #expect(error?.code == code)
    }

    @Test func holdsTheLongestName() throws {
        let wire = [UInt8]((0..<127).flatMap { _ in [1, 0x61] as [UInt8] }) + [0]
        #expect(wire.count == 255)
        #expect(try DomainName(wire: wire).wire == wire)
    }

    @Test(arguments: [
        ("a..b", ErrorCode<DNSSDError>.emptyLabel),
        (".a", .emptyLabel),
        ("..", .emptyLabel),
        (String(repeating: "a", count: 64), .labelTooLong),
        (String(repeating: "a.", count: 128), .domainNameTooLong),
        (String(repeating: "a", count: 2_000), .domainNameTooLong),
        (#"a\"#, .invalidEscape),
        (#"\99"#, .invalidEscape),
        (#"\300"#, .invalidEscape),
    ])
    func refusesBadText(text: String, code: ErrorCode<DNSSDError>) {
        let error = #expect(throws: DNSSDError.self) { try DomainName(escaped: text) }
        #expect(error?.code == code)
    }

    @Test func bytesThatAreNoUTF8SurviveAsText() throws {
        let name = try DomainName(labels: [[0xFF, 0x2E, 0xC3, 0xB6], Array("local".utf8)])
        #expect(name.escaped == #"\255\.\195\182.local"#)
        #expect(try DomainName(escaped: name.escaped).wire == name.wire)
    }

    @Test func sameNameInAnyASCIICase() throws {
        #expect(try Set([DomainName(escaped: "Host.LOCAL"), DomainName(escaped: "hOST.local.")]).count == 1)
        #expect(try DomainName(escaped: "ab.c") != DomainName(escaped: "a.bc"))
    }

    @Test func keepsTheBytesOfItsLabels() throws {
        let name = try DomainName(labels: [Array("Küche".utf8), [0, 0xFF, 0x2E], Array("local".utf8)])
        #expect(name.wire == [6] + Array("Küche".utf8) + [3, 0, 0xFF, 0x2E, 5] + Array("local".utf8) + [0])
        #expect(name.labels.map { Array($0) } == [Array("Küche".utf8), [0, 0xFF, 0x2E], Array("local".utf8)])
        #expect(name.escaped == #"Küche.\000\255\..local"#)
    }

    /// The escapes of Avahi, Apple, zone files and this type are read as the same name, which is written in one form.
    @Test(arguments: [#"K\195\188che\0322\.0.local"#, #"K\195\188che\ 2\.0.local."#, #"Küche\0322\0460.LOCAL"#])
    func readsEveryEscape(text: String) throws {
        let name = try DomainName(escaped: text)
        #expect(try name == DomainName(labels: [Array("Küche 2.0".utf8), Array("local".utf8)]))
        #expect(name.escaped.lowercased() == #"küche\0322\.0.local"#)
    }

    @Test func comparesByTheLettersOfASCIIAlone() throws {
        let name = try DomainName(escaped: "Desk._OpenClaw._tcp.LOCAL")
        let other = try DomainName(escaped: "dESK._openclaw._TCP.local.")
        #expect(name == other)
        #expect(name.hashValue == other.hashValue)
        #expect(name.wire != other.wire)
        // Ä and ä differ in one bit, as do [ and {, but they are no ASCII letters.
        for (one, two) in [("Ä", "ä"), ("[", "{"), ("@", "`")] {
            #expect(try DomainName(escaped: "\(one).local") != DomainName(escaped: "\(two).local"))
        }
    }

    @Test func hasAtMost255Bytes() throws {
        let label = [UInt8](repeating: 0x61, count: 63)
        let longest = try DomainName(labels: [label, label, label, Array(label[..<61])])
        #expect(longest.wire.count == 255)
        let error = #expect(throws: DNSSDError.self) {
            try DomainName(labels: [label, label, label, Array(label[..<62])])
        }
        #expect(error?.code == .domainNameTooLong)
        #expect(throws: DNSSDError.self) { try longest.prepending([0x62]) }
        #expect(throws: DNSSDError.self) { try DomainName(labels: [label + [0x61]]) }
        #expect(throws: DNSSDError.self) { try DomainName(labels: [[0x61], []]) }
    }

    @Test func knowsWhatIsBelowItByLabels() throws {
        let type = try DomainName(escaped: "_openclaw._tcp.local")
        #expect(try DomainName(escaped: "Desk._OPENCLAW._tcp.local").isWithin(type))
        #expect(type.isWithin(type))
        #expect(type.isWithin(.root))
        #expect(!type.isWithin(try DomainName(escaped: "Desk._openclaw._tcp.local")))
        #expect(try !DomainName(escaped: "x_openclaw._tcp.local").isWithin(type))
        // A label that ends with the wire form of the other name.
        let sly = try DomainName(labels: [[0x61] + [5] + Array("local".utf8)])
        #expect(try !sly.isWithin(DomainName(escaped: "local")))
        #expect(type.parent?.parent?.parent?.isRoot == true)
        #expect(DomainName.root.parent == nil)
    }
}
