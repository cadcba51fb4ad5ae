import Testing

@testable import DNSSD

@Suite struct AddressSizeTests {
    /// Addresses and endpoints are small: each of the thousands of services in a flood has several copies of them.
    @Test func addressesAndEndpointsAreSmall() {
        #expect(MemoryLayout<IPAddress>.stride <= 32)
        #expect(MemoryLayout<Endpoint>.stride <= 40)
        #expect(MemoryLayout<PacketSource>.stride <= 16)
    }
}
