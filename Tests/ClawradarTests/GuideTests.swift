import Clawradar
import TestSupport
import Testing

// From here to the suite: the listings of Sources/Clawradar/Clawradar.docc, word for word. What is changed there is changed
// here.

func watch(_ show: @Sendable (Gateway) -> Void) async throws {
    let scanner = try Scanner(limits: EmbeddingLimits(services: 1_000))
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await scanner.run() }
        for await update in scanner.constellation.updates {
            guard case .change(.found(let row), _) = update, row.classification == .gateway else { continue }
            show(row)
        }
    }
}

func advertise(port: UInt16) async throws {
    let advertiser = try GatewayAdvertiser(port: port)
    await advertiser.run()
}

/// One import is enough for whoever embeds.
@Suite struct GuideTests {
    @Test func theGuideIsCompiled() throws {
        let listings = try GuideListing.all(ofModule: "Clawradar")
        #expect(listings.count == 2)
        #expect(try listings.filter { try !$0.isCompiled(in: #filePath) } == [])
    }

    @Test func theLimitsArePassedOn() throws {
        #expect(
            EmbeddingLimits(services: 0, bots: -1, checksPerSecond: 0, heldConnections: -5)
                == EmbeddingLimits(services: 1, bots: 0, checksPerSecond: 1, heldConnections: 0)
        )
        let scanner = try Scanner(backend: .embedded, limits: EmbeddingLimits(services: 7))
        #expect(scanner.browser.source == .embedded)
    }

    @Test func portZeroIsRefused() {
        #expect(throws: BackendError.self) { try GatewayAdvertiser(port: 0, backend: .embedded) }
    }
}
