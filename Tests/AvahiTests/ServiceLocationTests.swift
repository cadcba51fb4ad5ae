import DNSSD
import TestSupport
import Testing

@testable import Avahi

@Suite struct ServiceLocationTests {
    private let name: [UInt8] = [4, 0x68, 0x6F, 0x73, 0x74, 5, 0x6C, 0x6F, 0x63, 0x61, 0x6C, 0]

    @Test func hostAndPortAreRead() {
        let location = ServiceLocation(data: [0, 1, 0, 2, 0x0B, 0xB8] + name)
        #expect(location?.host.escaped == "host.local")
        #expect(location?.port == 3_000)
    }

    @Test(arguments: [[], [0, 0, 0, 0, 0, 80], [0, 0, 0, 0, 0, 80, 5, 1], [0, 0, 0, 0, 0, 80, 0xC0, 0x0C]])
    func malformedRecordsAreNone(_ data: [UInt8]) {
        #expect(ServiceLocation(data: data) == nil)
    }

    @Test func anyBytesAreSurvived() {
        var random = SeededGenerator.forFuzzing("SRV records")
        for round in 0..<20_000 {
            let data = round & 1 == 0 ? random.bytes(upTo: 40) : random.mutate([0, 0, 0, 0, 0, 80] + name)
            guard let location = ServiceLocation(data: data) else { continue }
            #expect(Array(data[6...].prefix(location.host.wire.count)) == location.host.wire)
        }
    }
}
