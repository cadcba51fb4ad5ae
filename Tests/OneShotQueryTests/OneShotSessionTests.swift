internal import DNSSD
internal import Discovery
internal import Testing

@Suite("OneShotSession", .timeLimit(.minutes(1))) struct OneShotSessionTests {
    @Test("a session without any link begins and ends")
    func session() async throws {
        let request = BrowseRequest(types: [try ServiceType("_clawradar-test._tcp")], interfaces: ["no such interface"])
        let session = try #require(OneShotSession(request: request) { _ in })
        await session.begin()
        await session.end()
    }
}
