import DNSMessages
internal import DNSSD
import Testing

@testable import MulticastDNS

@Suite struct ServiceCensusTests {
    /// A service on three links is one service, until the last of them has lost it.
    @Test func aServiceCountsOnceOnAllLinks() throws {
        var census = ServiceCensus()
        let (first, second) = (try DomainName(escaped: "a"), try DomainName(escaped: "b"))
        census.apply([.came(first), .came(second), .came(first), .came(first)])
        #expect(census.count == 2)
        census.apply([.went(first), .went(first)])
        #expect(census.contains(first))
        census.apply([.went(first), .went(first)])
        #expect(!census.contains(first))
        #expect(census.count == 1)
    }
}
