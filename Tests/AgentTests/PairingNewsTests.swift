import DNSSD
import GatewayProtocol
import Pairing
import Testing

@testable import Agent

/// The log says what the agent has taken up of pairings, once.
@Suite struct PairingNewsTests {
    private static func pairing(_ name: String) -> StoredPairing {
        StoredPairing(
            gatewayID: "fingerprint:\(name)",
            name: name,
            dialect: .openClaw,
            trust: .certified(host: "\(name).example"),
            endpoints: [],
            pairedAt: 1
        )
    }

    @Test func eachChangeIsOneLine() {
        var news = PairingNews()
        var (home, attic) = (Self.pairing("Home"), Self.pairing("Attic\u{1B}"))
        #expect(news.take([home]) == ["1 gateway is paired"])
        #expect(news.take([home]).isEmpty)
        let added = news.take([home, attic])
        #expect(added.count == 1 && added[0].hasSuffix("is paired") && !added[0].contains("\u{1B}"), "\(added)")
        home.name = "House"
        attic.connectsAutomatically = false
        // The time of the last session is no news.
        attic.lastConnected = 7
        let changed = news.take([home, attic])
        #expect(changed.count == 2, "\(changed)")
        #expect(changed[0].contains("Home") && changed[0].contains("is called “House”"))
        #expect(changed[1].hasSuffix("is connected when asked"))
        #expect(news.take([home]).map { $0.hasSuffix("is not paired any more") } == [true])
    }
}
