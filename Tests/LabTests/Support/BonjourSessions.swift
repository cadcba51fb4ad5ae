import Bonjour
import DNSSD
import Testing

/// Browses and publications of the libdns_sd backend in the test process, with the daemon of host h2.
enum BonjourSessions {
    static let type = ServiceType(checkedName: "openclaw", transport: .tcp)

    /// Browses while `body` runs.
    static func browse(
        _ backend: BonjourBackend = InProcess.bonjour(),
        _ body: (BackendSightings) async throws -> Void
    ) async throws {
        let sightings = BackendSightings()
        try await withThrowingTaskGroup { group in
            group.addTask { await backend.browse(BrowseRequest(types: [type])) { sightings.take($0) } }
            try await body(sightings)
            group.cancelAll()
        }
    }

    /// Publishes a service while `body` runs.
    static func publish(
        _ name: String,
        _ backend: BonjourBackend = InProcess.bonjour(),
        _ body: (PublicationStates, TXTUpdates.Source) async throws -> Void
    ) async throws {
        let reported = PublicationStates()
        let (updates, source) = TXTUpdates.makeSequence()
        let advertisement = Advertisement(
            name: name,
            types: [type],
            port: 1_234,
            txt: try TXTRecord([("v", "1")])
        )
        try await withThrowingTaskGroup { group in
            group.addTask { await backend.publish(advertisement, updates: updates) { reported.take($0) } }
            try await body(reported, source)
            group.cancelAll()
        }
        #expect(reported.all.last == .withdrawn)
    }
}
