import DNSSD
import GatewayProtocol
import Reports
import Scanning
import Testing

@testable import AgentAPI

/// The changes that are worth an event.
@Suite struct EventTextTests {
    /// A new round-trip time is told to those alone who draw it: it would be most of all that is told, and says nothing new of
    /// the gateway. It goes without the row, of which it would be a copy every few seconds.
    @Test func aRoundTripTimeIsToldToThoseWhoAsk() throws {
        var map = BotMap()
        let endpoint = Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0001)), port: 3_000)
        let identity = GatewayIdentity(
            fingerprint: GatewayFingerprint("a"),
            name: "Attic",
            dialect: .optaplus,
            leaf: nil
        )
        map.apply(.endpointAdded(endpoint, .local))
        map.apply(.probed(endpoint, .gateway(identity)))
        map.apply(.liveness(endpoint, .answering, roundTrip: .milliseconds(2)))
        let row = try #require(map.gateways.first)
        let latency = ConstellationChange.gateway(.changed(row, [.latency]))
        #expect(EventText.event(latency, tellsLatency: false)?.name == nil)
        let event = try #require(EventText.event(latency, tellsLatency: true))
        #expect(event.name == "latency")
        #expect(Set(event.data.fields.keys) == ["gateway", "latencyMs", "time"])
        #expect(event.data.fields["gateway"]?.string == row.id.description)
        #expect(event.data.fields["latencyMs"] == JSONValue(milliseconds: .milliseconds(2)))
        for tells in [false, true] {
            let more = ConstellationChange.gateway(.changed(row, [.latency, .liveness]))
            #expect(EventText.event(more, tellsLatency: tells)?.name == "gateway")
        }
    }
}
