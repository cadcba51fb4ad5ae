import DNSSD
import Testing

@testable import ReferenceGateway

/// The limited number of connections of a gateway, and the share of each address.
@Suite struct ConnectionSlotsTests {
    private let one = IPAddress.v4(IPv4Address(bits: 0xC0A8_0114))
    private let other = IPAddress.v4(IPv4Address(bits: 0xC0A8_0115))

    /// One address can take only a quarter of all connections, so that others still get some.
    @Test func anAddressHasALimitedShare() {
        let slots = ConnectionSlots(8)
        #expect((0..<3).map { _ in slots.take(for: one) } == [1, 2, nil])
        #expect(slots.take(for: other) == 3)
        slots.give(for: one)
        #expect(slots.take(for: one) == 4)
        #expect(slots.take(for: one) == nil)
    }

    /// Loopback addresses are not limited to a share, but to the number of all connections.
    @Test func loopbackMayTakeAllSlots() {
        let slots = ConnectionSlots(8)
        let own = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))
        #expect((0..<9).map { _ in slots.take(for: own) } == Array(1...8) + [nil])
        #expect(slots.take(for: one) == nil)
        slots.give(for: own)
        #expect(slots.take(for: nil) == 9)
    }
}
