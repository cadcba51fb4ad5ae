import DNSSD
import Testing

@Suite struct DomainNameTests {
    @Test func readsRDATA() throws {
        let name = try DomainName(wire: [5, 0x68, 0x2E, 0xC3, 0xB6, 0x20, 5, 0x6C, 0x6F, 0x63, 0x61, 0x6C, 0, 0xFF])
        #expect(name.escaped == #"h\.ö\032.local"#)
        #expect(name.wireLength == 13)
        #expect(try DomainName(wire: name.wire) == name)
        #expect(try DomainName(escaped: name.escaped) == name)
    }

    @Test func readsTheRoot() throws {
        #expect(try DomainName(wire: [0]).labels.isEmpty)
        #expect(try DomainName(escaped: ".").wire == [0])
        #expect(try DomainName(escaped: "").escaped == "")
    }

    @Test(arguments: [
        ([], DNSSDError.Code.truncatedName),
        ([1], .truncatedName),
        ([3, 0x61], .truncatedName),
        ([1, 0x61], .truncatedName),
        ([0xC0, 0x0C], .compressedName),
        ([64] + [UInt8](repeating: 0x61, count: 64) + [0], .compressedName),
        ([UInt8]((0..<128).flatMap { _ in [1, 0x61] as [UInt8] }) + [0], .domainNameTooLong),
    ])
    func refusesBadRDATA(bytes: [UInt8], code: DNSSDError.Code) {
        let error = #expect(throws: DNSSDError.self) { try DomainName(wire: bytes) }
        #expect(error?.code == code)
    }

    @Test func holdsTheLongestName() throws {
        let wire = [UInt8]((0..<127).flatMap { _ in [1, 0x61] as [UInt8] }) + [0]
        #expect(wire.count == 255)
        #expect(try DomainName(wire: wire).wire == wire)
    }

    @Test(arguments: [
        ("a..b", DNSSDError.Code.emptyLabel),
        (".a", .emptyLabel),
        ("..", .emptyLabel),
        (String(repeating: "a", count: 64), .labelTooLong),
        (String(repeating: "a.", count: 128), .domainNameTooLong),
        (String(repeating: "a", count: 2_000), .domainNameTooLong),
        (#"a\"#, .invalidEscape),
        (#"\99"#, .invalidEscape),
        (#"\300"#, .invalidEscape),
    ])
    func refusesBadText(text: String, code: DNSSDError.Code) {
        let error = #expect(throws: DNSSDError.self) { try DomainName(escaped: text) }
        #expect(error?.code == code)
    }

    @Test func bytesThatAreNoUTF8SurviveAsText() throws {
        let name = try DomainName(labels: [[0xFF, 0x2E, 0xC3, 0xB6], Array("local".utf8)])
        #expect(name.escaped == #"\255\.\195\182.local"#)
        #expect(try DomainName(escaped: name.escaped).labels == name.labels)
    }

    @Test func sameNameInAnyASCIICase() throws {
        #expect(try Set([DomainName(escaped: "Host.LOCAL"), DomainName(escaped: "hOST.local.")]).count == 1)
        #expect(try DomainName(escaped: "ab.c") != DomainName(escaped: "a.bc"))
    }
}
