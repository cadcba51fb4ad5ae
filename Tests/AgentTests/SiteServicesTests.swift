import DNSSD
import Discovery
import GatewayProtocol
import HostSystem
import Reports
import Scanning
import TestSupport
import Testing

@testable import Agent
@testable import HostSystem

/// Protects what an agent says of its LAN in a zone: only gateways that answer, at addresses that others reach, and nothing that a
/// zone has told it.
@Suite struct SiteServicesTests {
    private var map = BotMap()
    private let site = SiteSetting(zone: ZoneSetting(domain: "kitchen.example.org", key: "/k"))

    private static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    /// Has a gateway advertise itself, and answer at its addresses.
    private mutating func find(
        _ name: String,
        _ addresses: String...,
        host: DomainName = "studio.local",
        domain: String = "local",
        answers: Bool = true
    ) throws {
        let instance = try ServiceInstance(name: name, type: .openClaw, domain: domain)
        let isOfZone = domain != "local"
        let eth0 = ServicePath(interface: NetworkInterface(index: 1, name: "eth0"), family: .ipv4)
        var sighting = Sighting(
            instance: instance,
            path: isOfZone ? .zone : eth0,
            source: isOfZone ? .zone : SightingSource(rawValue: "x"),
            resolution: .resolved
        )
        (sighting.host, sighting.port) = (host, 3_000)
        sighting.addresses = try addresses.map { try Self.address($0) }
        var service = DiscoveredService(instance: instance)
        service.record(sighting)
        map.apply(.serviceFound(service))
        for address in sighting.addresses where answers {
            let place = Endpoint(address: address, port: 3_000)
            let identity = GatewayIdentity(fingerprint: GatewayFingerprint(name), dialect: .optaplus, leaf: nil)
            map.apply(.probed(place, .gateway(identity)))
            map.apply(.liveness(place, .answering))
        }
    }

    private func services(_ site: SiteSetting? = nil, on interfaces: [HostInterface] = []) -> [String: ZoneService] {
        let found = SiteServices(map.gateways, site ?? self.site, on: interfaces).services
        return Dictionary(uniqueKeysWithValues: found.map { ("\($0.key.name).\($0.key.domain)", $0.value) })
    }

    /// Two sites that publish what they find in each other's zone would never forget it.
    @Test mutating func whatAZoneHasToldIsNotPublished() throws {
        try find("Near", "10.0.0.1")
        try find("Far", "10.9.0.1", host: "far.other.example.org", domain: "other.example.org")
        // A gateway of both is published as it is in the LAN.
        try find("Near", "10.0.0.1", "10.9.0.2", host: "near.other.example.org", domain: "other.example.org")
        #expect(services().keys.sorted() == ["Near.local"])
        #expect(services()["Near.local"]?.addresses == [try Self.address("10.0.0.1")])
    }

    @Test mutating func onlyWhatAnswersIsPublished() throws {
        try find("Silent", "10.0.0.1", answers: false)
        #expect(services().isEmpty)
        try find("Silent", "10.0.0.1")
        #expect(services().count == 1)
        map.apply(.liveness(Endpoint(address: try Self.address("10.0.0.1"), port: 3_000), .gone))
        #expect(services().isEmpty)
    }

    /// Docker's address is another container elsewhere, and one of a link is another host.
    @Test mutating func noAddressOfContainersOrLinksIsPublished() throws {
        try find("Kitchen", "10.0.0.1", "172.17.0.1", "169.254.7.7")
        let docker = HostInterface(
            interface: NetworkInterface(index: 3, name: "docker0"),
            flags: [.up, .running],
            addresses: [InterfaceAddress(address: try Self.address("172.17.0.1"), prefixLength: 16)]
        )
        #expect(services(on: [docker])["Kitchen.local"]?.addresses == [try Self.address("10.0.0.1")])
    }

    /// A forger who names a host elsewhere, with the first label of a host of the LAN, would be at that one's name in the zone.
    @Test mutating func hostsElsewhereGetNoNameInTheZone() throws {
        try find("Forged", "10.0.0.66", host: "studio.elsewhere.example")
        #expect(services().isEmpty)
    }

    @Test mutating func onlyNamedGatewaysArePublishedIfThereAreNames() throws {
        try find("Kitchen", "10.0.0.1")
        try find("Studio", "10.0.0.2")
        let some = SiteSetting(zone: site.zone, gateways: [.name("kitchen")])
        #expect(services(some).keys.sorted() == ["Kitchen.local"])
    }

    /// A fingerprint is for everybody to see, and so for everybody to claim: only its certificate says whose it is.
    @Test mutating func whoClaimsAFingerprintProvesItOrIsNotPublished() throws {
        let leaf = try #require(LeafFingerprint(bytes: [UInt8](repeating: 7, count: 32)))
        let fingerprint = try #require(GatewayFingerprint(leaf.description))
        let wanted = SiteSetting(zone: site.zone, gateways: [.fingerprint(fingerprint)])
        try find("Kitchen", "10.0.0.1", answers: false)
        try find("Forged", "10.0.0.66", host: "forged.local", answers: false)
        try find("Other", "10.0.0.3", host: "other.local")
        func answer(_ address: String, _ leaf: LeafFingerprint?) throws {
            let place = Endpoint(address: try Self.address(address), port: 3_000)
            let identity = GatewayIdentity(fingerprint: fingerprint, dialect: .optaplus, leaf: leaf)
            map.apply(.probed(place, .gateway(identity)))
            map.apply(.liveness(place, .answering))
        }
        try answer("10.0.0.66", nil)
        #expect(services(wanted).isEmpty)
        let before = SiteServices(map.gateways, wanted, on: [])
        #expect(before.unproved == [fingerprint] && before.trouble != nil)
        try answer("10.0.0.1", leaf)
        // The row of whoever claimed it first stays until that has answered once more.
        try answer("10.0.0.66", nil)
        #expect(services(wanted).keys.sorted() == ["Kitchen.local"])
        #expect(services(wanted)["Kitchen.local"]?.addresses == [try Self.address("10.0.0.1")])
        #expect(SiteServices(map.gateways, wanted, on: []).trouble == nil)
    }

    /// Something else answers at another address of the service's host: its row shows that service too, and takes nothing away.
    @Test mutating func anotherRowOfAServiceTakesNothingAway() throws {
        let leaf = try #require(LeafFingerprint(bytes: [UInt8](repeating: 7, count: 32)))
        let fingerprint = try #require(GatewayFingerprint(leaf.description))
        let wanted = SiteSetting(zone: site.zone, gateways: [.fingerprint(fingerprint)])
        try find("Attic", "10.0.0.1", "10.0.0.9", answers: false)
        for (address, identity) in [
            ("10.0.0.1", GatewayIdentity(fingerprint: fingerprint, dialect: .optaplus, leaf: leaf)),
            ("10.0.0.9", GatewayIdentity(fingerprint: GatewayFingerprint("zzz"), dialect: .optaplus, leaf: nil)),
        ] {
            let place = Endpoint(address: try Self.address(address), port: 3_000)
            map.apply(.probed(place, .gateway(identity)))
            map.apply(.liveness(place, .answering))
        }
        try #require(map.gateways.count { !$0.discoveredServices.isEmpty } == 2)
        #expect(services(wanted)["Attic.local"]?.addresses == [try Self.address("10.0.0.1")])
        let both = try ["10.0.0.1", "10.0.0.9"].map { try Self.address($0) }
        #expect(services()["Attic.local"]?.addresses == both)
    }

    /// The preview of an agent's gateways is the one of the agent itself: nothing that it needs is lost on the way.
    @Test mutating func gatewaysThatWereSentGiveTheSameText() throws {
        try find("Kitchen", "10.0.0.1", "fd00::1")
        try find("Studio", "10.0.0.2", host: "atelier.local")
        let row = try #require(map.gateways.first)
        let alias = try #require(GatewayAlias(row, name: "Atelier"))
        map.apply(.aliased([alias]))
        let snapshot = ConstellationSnapshot(
            revision: 1,
            gateways: map.gateways,
            services: map.services,
            backends: [],
            sessions: [],
            missedProblems: []
        )
        let limits = JSONLimits(maximumBytes: 1_048_576, maximumDepth: 32, maximumValues: 10_000)
        let sent = try JSONValue(parsing: ConstellationUpdate.snapshot(snapshot).recording.encoded, limits: limits)
        guard case .snapshot(let copy) = try ConstellationUpdate(recording: sent) else {
            Issue.record("expected a snapshot")
            return
        }
        for site in [site, SiteSetting(zone: site.zone, gateways: [.name("atelier")])] {
            let here = SiteServices(map.gateways, site, on: [])
            let there = SiteServices(copy.gateways, site, on: [])
            #expect(!here.services.isEmpty && here.trouble == there.trouble)
            let texts = try [here, there].map { try $0.updateText(site, owner: "1a2b3c4d", at: 1_000) }
            #expect(texts[0] == texts[1])
        }
    }

    /// Whoever makes up gateways takes no place from those that are published.
    @Test mutating func thoseThatAreTooManyAreLeftOut() throws {
        try find("zzz", "10.0.0.1")
        let before = SiteServices(map.gateways, site, on: [])
        for number in 0..<SiteServices.mostServices {
            try find("a\(number)", "10.1.\(number / 250).\(number % 250 + 1)")
        }
        let after = SiteServices(map.gateways, site, after: before, on: [])
        #expect(after.services.count == SiteServices.mostServices && after.leftOut == 1)
        #expect(after.services.keys.contains { $0.name == "zzz" })
        #expect(SiteServices.excess(0) == nil && SiteServices.excess(1) != nil)
    }
}
