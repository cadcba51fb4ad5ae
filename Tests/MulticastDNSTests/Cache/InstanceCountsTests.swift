import DNSSD
import Testing

@testable import Discovery

@Suite struct InstanceCountsTests {
    /// An instance that is seen on several links counts as one, until the last link has lost it.
    @Test func aServiceCountsOnceOnAllLinks() throws {
        var instanceCounts = InstanceCounts()
        let (first, second) = (try DomainName(escaped: "a"), try DomainName(escaped: "b"))
        instanceCounts.apply([.came(first), .came(second), .came(first), .came(first)])
        #expect(instanceCounts.count == 2)
        instanceCounts.apply([.went(first), .went(first)])
        #expect(instanceCounts.contains(first))
        instanceCounts.apply([.went(first), .went(first)])
        #expect(!instanceCounts.contains(first))
        #expect(instanceCounts.count == 1)
    }
}
