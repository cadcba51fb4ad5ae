internal import DNSSD
internal import Testing

@Suite("Endpoint") struct EndpointTests {
    private func endpoint(_ address: String, _ port: UInt16, _ resource: String = "/") throws -> Endpoint {
        Endpoint(address: try #require(IPAddress(address)), port: port, resource: resource)
    }

    @Test("is the same site at another address, and another one at another port or path")
    func sites() throws {
        let kitchen = try endpoint("10.0.0.1", 443, "/kitchen")
        let others = [
            try endpoint("10.0.0.1", 8443, "/kitchen"), try endpoint("10.0.0.1", 443, "/cellar"),
            try endpoint("10.0.0.1", 443),
        ]
        #expect(kitchen.isSameSite(as: try endpoint("fd00::7", 443, "/kitchen")))
        #expect(!others.hasSite(of: kitchen))
        #expect((others + [kitchen]).hasSite(of: try endpoint("10.0.0.2", 443, "/kitchen")))
    }
}
