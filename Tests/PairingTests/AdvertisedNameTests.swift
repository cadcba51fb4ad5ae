import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Pairing

/// The name of a gateway that tells none itself, and is paired with by its address.
@Suite struct AdvertisedNameTests {
    private static func service(_ name: String, at endpoint: Endpoint) throws -> DiscoveredService {
        let instance = try ServiceInstance(name: name, type: try ServiceType(name: "openclaw-gw"))
        var service = DiscoveredService(instance: instance)
        var sighting = Sighting(
            instance: instance,
            path: ServicePath(interface: NetworkInterface(index: 2, name: "eth0"), family: .ipv4),
            source: SightingSource(rawValue: "fake"),
            resolution: .resolved
        )
        sighting.host = try DomainName(labels: [Array("pad".utf8), Array("local".utf8)])
        sighting.port = endpoint.port
        sighting.addresses = [endpoint.address]
        service.record(sighting)
        return service
    }

    /// Returns the rows in which a gateway has answered, after these services had led to it.
    private static func rows(_ names: String...) throws -> [Gateway] {
        var map = BotMap()
        map.apply(.endpointAdded(PairingSamples.endpoint, .local))
        for name in names { map.apply(.serviceFound(try service(name, at: PairingSamples.endpoint))) }
        map.apply(.probed(PairingSamples.endpoint, .gateway(GatewayIdentity(fingerprint: nil, dialect: .openClaw))))
        return map.gateways
    }

    /// It has the name under which it is advertised, rather than its address; but no name about which services differ.
    @Test func theOneServiceNamesIt() throws {
        let endpoint = PairingSamples.endpoint
        #expect(PairingOffer.advertisedName(at: endpoint, among: try Self.rows()) == nil)
        #expect(PairingOffer.advertisedName(at: endpoint, among: try Self.rows("Attic")) == "Attic")
        #expect(PairingOffer.advertisedName(at: endpoint, among: try Self.rows("Attic", "Forged")) == nil)
        let other = Endpoint(address: endpoint.address, port: 1)
        #expect(PairingOffer.advertisedName(at: other, among: try Self.rows("Attic")) == nil)
    }
}
