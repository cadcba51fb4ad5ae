import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Pairing

/// The paths on which a session is sought, in the order in which they are tried.
@Suite struct SessionPathTests {
    private let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 3_000)

    private func path(_ reach: Reach, isElsewhere: Bool? = nil) -> SessionPath {
        var path = SessionPath(place: .endpoint(endpoint), reach: reach, policy: .certified(host: "bot.example"))
        if let isElsewhere { path.isElsewhere = isElsewhere }
        return path
    }

    /// This network comes before others, and both before a place where only words say that it is the same gateway,
    /// however near that is. No path is elsewhere unless that is said.
    @Test func theNearestComesFirstAndAnotherPlaceLast() {
        #expect(path(.local).rank == .local)
        #expect(path(.remote).rank == .remote)
        #expect(path(.local, isElsewhere: true).rank == .elsewhere)
        #expect(path(.remote, isElsewhere: true).rank == .elsewhere)
        #expect(SessionPath.Rank.allCases.sorted() == [.local, .remote, .elsewhere])
        for rank in SessionPath.Rank.allCases { #expect(!(rank < rank)) }
    }

    /// The description has the path of the WebSocket only where it is not the usual one.
    @Test func theUsualPathIsNotShown() {
        var path = SessionPath(
            place: .host("bot.example", port: 443),
            reach: .remote,
            policy: .certified(host: "bot.example")
        )
        #expect("\(path)" == "bot.example:443")
        path.resource = "/one"
        #expect("\(path)" == "bot.example:443/one")
        #expect("\(self.path(.local))" == "10.0.0.1:3000")
    }
}
