import Testing

@testable import Discovery

/// The limits of the engine.
@Suite struct MulticastDNSConfigurationTests {
    /// Whoever asks for more instances gets the bytes for them, which would be the narrower limit otherwise; fewer instances
    /// may still have long records.
    @Test func theBytesGrowWithTheInstances() {
        #expect(MulticastDNSConfiguration().maximumBytes == 24 << 20)
        #expect(MulticastDNSConfiguration(maximumInstances: 100).maximumBytes == 24 << 20)
        #expect(MulticastDNSConfiguration(maximumInstances: 65_536).maximumBytes == 96 << 20)
        #expect(MulticastDNSConfiguration(maximumInstances: .max).maximumBytes > 1 << 60)
        #expect(MulticastDNSConfiguration(maximumInstances: 65_536, maximumBytes: 5).maximumBytes == 5)
    }
}
