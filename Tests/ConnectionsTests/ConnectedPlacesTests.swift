import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Pairing

/// The places at which a pairing was connected before: only there does a refusal end it.
@Suite struct ConnectedPlacesTests {
    private let home: Endpoint

    init() throws {
        home = Endpoint(address: try #require(IPAddress("10.0.0.1")), port: 443, resource: "/attic/")
    }

    private func pairing(_ trust: TrustPolicy = .certified(host: "gw.example"), url: String? = nil) -> StoredPairing {
        StoredPairing(
            gatewayID: "a",
            name: "Attic",
            dialect: .openClaw,
            trust: trust,
            endpoints: [home],
            connectedURL: url,
            pairedAt: 0
        )
    }

    private func path(
        _ place: SessionPath.Place,
        _ resource: String = "/attic/",
        _ trust: TrustPolicy = .certified(host: "gw.example")
    ) -> SessionPath {
        SessionPath(place: place, reach: .local, resource: resource, policy: trust)
    }

    @Test func whereItWasMadeIsKnown() throws {
        let pairing = pairing()
        #expect(pairing.wasConnected(on: path(.endpoint(home))))
        #expect(!pairing.wasConnected(on: path(.endpoint(home.at(try #require(IPAddress("10.0.0.2")))))))
        #expect(pairing.wasConnected(on: path(.host("gw.example", port: 443))))
        #expect(!pairing.wasConnected(on: path(.host("gw.example", port: 444))))
        #expect(!pairing.wasConnected(on: path(.host("gw.example", port: 443), "/bath/")))
        #expect(!pairing.wasConnected(on: path(.host("other.example", port: 443))))
        let leaf = try #require(LeafFingerprint(bytes: Array(repeating: 1, count: 32)))
        #expect(!self.pairing(.pinned(leaf)).wasConnected(on: path(.host("gw.example", port: 443))))
    }

    @Test func itsAddressOutsideIsKnownOnceItWasConnectedThere() {
        let pairing = pairing(url: "wss://out.example:8443/attic/")
        #expect(pairing.wasConnected(on: path(.host("out.example", port: 8_443))))
        #expect(!pairing.wasConnected(on: path(.host("out.example", port: 443))))
        #expect(!pairing.wasConnected(on: path(.host("out.example", port: 8_443), "/")))
        #expect(!pairing.wasConnected(on: path(.host("in.example", port: 8_443))))
        #expect(!self.pairing().wasConnected(on: path(.host("out.example", port: 8_443))))
        let numeric = self.pairing(url: "wss://10.0.0.9/attic/")
        #expect(
            numeric.wasConnected(
                on: path(
                    .endpoint(Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0009)), port: 443, resource: "/attic/"))
                )
            )
        )
        #expect(
            !numeric.wasConnected(
                on: path(.endpoint(Endpoint(address: .v4(IPv4Address(bits: 0x0A00_0009)), port: 443)))
            )
        )
    }

    @Test func whatThisProcessHasSeenIsRemembered() {
        var places = ConnectedPlaces()
        let pairing = pairing()
        func tunnel(_ port: Int) -> SessionPath { path(.host("tunnel.example", port: UInt16(port))) }
        places.note(tunnel(1), of: pairing.id)
        #expect(places.has(tunnel(1), of: pairing))
        #expect(!places.has(tunnel(2), of: pairing))
        #expect(!places.has(tunnel(1), of: self.pairing()))
        for port in 2...ConnectedPlaces.most + 1 { places.note(tunnel(port), of: pairing.id) }
        #expect(!places.has(tunnel(1), of: pairing))
        #expect(places.has(tunnel(2), of: pairing))
        // One that is connected again is the latest.
        places.note(tunnel(2), of: pairing.id)
        places.note(tunnel(100), of: pairing.id)
        #expect(places.has(tunnel(2), of: pairing))
        #expect(!places.has(tunnel(3), of: pairing))
        places.remove(pairing.id)
        #expect(!places.has(tunnel(2), of: pairing))
        #expect(places.has(path(.endpoint(home)), of: pairing))
    }
}
