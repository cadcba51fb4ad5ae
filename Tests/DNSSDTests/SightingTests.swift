import DNSSD
import Testing

@Suite struct SightingTests {
    private func sighting() throws -> Sighting {
        Sighting(
            instance: try ServiceInstance(name: "a", type: ServiceType("_openclaw._tcp")),
            path: ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4),
            source: .embedded
        )
    }

    /// Copies share what they hold, and must not share what is changed.
    @Test func aChangedCopyLeavesTheOriginal() throws {
        let original = try sighting()
        var copy = original
        copy.host = "a.local"
        copy.addresses.append(.v4(IPv4Address(bits: 0x0A00_0001)))
        copy.resolution = .resolved
        #expect(original == (try sighting()))
        #expect(original.host == nil)
        #expect(copy.host == "a.local")
        #expect(copy != original)
    }

    /// Thousands of services are held in several tables each, most of them half empty: there, an instance and a sighting
    /// are one word.
    @Test func tablesHoldLittleOfEach() {
        #expect(MemoryLayout<ServiceInstance>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<Sighting>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<Service>.stride <= 48)
    }
}
