import DNSSD
import TestSupport
import Testing

@Suite struct NameFuzzTests {
    @Test func wireNamesSurviveAnything() {
        var random = SeededGenerator.forFuzzing("wire names")
        let valid: [UInt8] = [4, 0x68, 0x6F, 0x73, 0x74, 5, 0x6C, 0x6F, 0x63, 0x61, 0x6C, 0]
        for round in 0..<TestCases.count(60_000) {
            let bytes = round & 1 == 0 ? random.bytes(upTo: 80) : random.mutate(valid)
            guard let name = try? DomainName(wire: bytes) else { continue }
            #expect(Array(bytes.prefix(name.wire.count)) == name.wire)
            #expect((try? DomainName(escaped: name.escaped))?.wire == name.wire)
        }
    }

    @Test func escapedNamesSurviveAnything() {
        var random = SeededGenerator.forFuzzing("escaped names")
        let valid = Array(#"Gr\195\182\195\159e\.b\\\032x (2)._openclaw._tcp.local"#.utf8)
        for round in 0..<TestCases.count(40_000) {
            let bytes = round & 3 == 0 ? random.bytes(upTo: 80) : random.mutate(valid)
            let text = String(decoding: bytes, as: UTF8.self)
            if let name = try? DomainName(escaped: text) {
                #expect((try? DomainName(wire: name.wire))?.wire == name.wire)
                #expect((try? DomainName(escaped: name.escaped))?.wire == name.wire)
            }
            if let instance = try? ServiceInstance(fullName: text) {
                #expect((try? ServiceInstance(fullName: instance.fullName)) == instance)
            }
            if let type = try? ServiceType(text) {
                #expect((try? ServiceType(type.description)) == type)
            }
            _ = try? ServiceInstance.unescape(text)
        }
    }
}
