import DNSSD
import TestSupport
import Testing

@Suite struct SightingTests {
    private func sighting() throws -> Sighting {
        Sighting(
            instance: try ServiceInstance(name: "a", type: ServiceType("_openclaw._tcp")),
            path: ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4),
            source: .embedded
        )
    }

    /// A changed copy does not affect the original, although copies share their storage.
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

    private static func source(_ number: UInt32) -> IPAddress { .v4(IPv4Address(bits: 0x0A00_0000 + number)) }

    /// A sender with many forged addresses does not displace the address that the service is at from the list of
    /// senders.
    @Test func theSourceThatIsItsAddressIsNotForgotten() {
        var sources: [IPAddress] = []
        for number in 1...9 {
            Sighting.add(Self.source(UInt32(number)), to: &sources) { $0 == Self.source(1) }
        }
        #expect(sources == [1, 7, 8, 9].map(Self.source))
        #expect(!Sighting.add(Self.source(7), to: &sources) { _ in false }, "the address is known")
        for number in 11...20 { Sighting.add(Self.source(UInt32(number)), to: &sources) { _ in true } }
        #expect(sources == [17, 18, 19, 20].map(Self.source), "the newest addresses remain, the latest one last")
    }

    /// A further sender adds something to a sighting only if it is one of the service's own addresses.
    @Test func onlyOwnAddressesAddToASighting() throws {
        var before = try sighting()
        before.addresses = [Self.source(1), Self.source(2)]
        before.heardFrom = [Self.source(1)]
        #expect(before.firstHandAddresses == [Self.source(1)])
        var after = before
        after.heardFrom = [Self.source(1), Self.source(66)]
        #expect(after.addsNothing(to: before))
        after.heardFrom = [Self.source(1), Self.source(2)]
        #expect(!after.addsNothing(to: before))
        #expect(before.addsNothing(to: after))
        after = before
        after.port = 1
        #expect(!after.addsNothing(to: before))
    }

    @Test func whatThisProcessPublishesIsThisHostsOwn() throws {
        var sighting = try sighting()
        sighting.isOurs = true
        #expect(sighting.isOwn)
        sighting.isOurs = false
        #expect(!sighting.isOwn)
        sighting.isOwn = true
        sighting.isOurs = false
        #expect(sighting.isOwn && !sighting.isOurs)
    }

    /// An instance and a sighting take one machine word each in tables, since thousands of them are in several tables
    /// that are often half empty.
    @Test func tablesHoldLittleOfEach() {
        #expect(MemoryLayout<ServiceInstance>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<Sighting>.size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<DiscoveredService>.stride <= 48)
    }
}
