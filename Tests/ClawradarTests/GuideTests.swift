import Clawradar
import TestSupport
import Testing

@testable import Embedding

/// The listings of the guide compile, and a program that embeds the package needs only this import.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Clawradar")
        #expect(listings.count == 2)
        let compiled = try DocumentedCommand.text("Tests/Embedding/Guide.swift")
        #expect(listings.filter { !$0.isCompiled(inSource: compiled) } == [])
    }

    @Test func limitsOutOfRangeAreClamped() {
        #expect(
            EmbeddingLimits(services: 0, bots: -1, checksPerSecond: 0, heldConnections: -5)
                == EmbeddingLimits(services: 1, bots: 0, checksPerSecond: 1, heldConnections: 0)
        )
    }

    /// The one set of limits reaches the map, and the settings of the liveness checks.
    @Test func theLimitsArePassedOn() async throws {
        let scanner = try GatewayScanner(
            backend: .embedded,
            limits: EmbeddingLimits(services: 2, bots: 1, checksPerSecond: 3, heldConnections: 4)
        )
        #expect(scanner.browser.source == .embedded)
        #expect(scanner.configuration.checksPerSecond == 3)
        #expect(scanner.configuration.heldConnections == 4)
        #expect(scanner.endsConstellation, "the map is the scanner's own")
        let address = try #require(IPAddress("10.0.0.2"))
        for port: UInt16 in 1...3 {
            await scanner.constellation.apply([.endpointAdded(Endpoint(address: address, port: port), .local)])
        }
        #expect(await scanner.constellation.snapshot.gateways.count == 2)
        let bots = ["a", "b"].compactMap { name in BotID(name).map { BotDescription(id: $0, name: name) } }
        #expect(bots.count == 2)
        let identity = GatewayIdentity(fingerprint: nil, name: "Home", dialect: .optaplus, bots: bots)
        await scanner.constellation.apply([.probed(Endpoint(address: address, port: 1), .gateway(identity))])
        #expect(await scanner.constellation.snapshot.gateways.map(\.bots.count).max() == 1)
    }

    /// A row is found before it has been probed, so that the listing shows a gateway only when it has answered.
    @Test func theListingShowsAGatewayThatAnswersAfterItWasFound() throws {
        let endpoint = Endpoint(address: try #require(IPAddress("10.0.0.2")), port: 3_000)
        var map = BotMap()
        let found = map.apply(.endpointAdded(endpoint, .local))
        let identity = GatewayIdentity(fingerprint: nil, name: "Home", dialect: .optaplus)
        let answered = map.apply(.probed(endpoint, .gateway(identity)))
        #expect(!found.isEmpty)
        #expect(found.compactMap { gateway(in: .change($0, revision: 1)) } == [])
        #expect(answered.compactMap { gateway(in: .change($0, revision: 2)) }.map(\.name) == ["Home"])
    }

    @Test func portZeroIsRefused() {
        #expect(throws: BackendError.self) { try GatewayAdvertiser(port: 0, backend: .embedded) }
    }
}
