internal import Discovery
internal import PairingStore
internal import Reports

/// The part that has the store of pairings open, for the other parts.
final class StorePart: Sendable {
    private let location: @Sendable () throws(StoreError) -> StoreLocation
    private let opened = Broadcast<PairingStore?>(nil)

    init(_ location: @escaping @Sendable () throws(StoreError) -> StoreLocation) {
        self.location = location
    }

    /// The store; `nil` while it is not open.
    var store: PairingStore? { opened.value }

    /// The store, now and whenever it is opened or closed. A slow reader gets the latest one.
    var stores: some AsyncSequence<PairingStore?, Never> & Sendable { opened.stream(limit: 1) }

    /// Opens the store, and returns when it must be opened anew.
    func run(_ reporter: PartReporter) async throws {
        let store = try PairingStore(location())
        defer { opened.send(nil) }
        opened.send(store)
        // A failure is ignored, because the next opening purges the bin again.
        _ = try? await store.perform { store throws(StoreError) in
            try store.purgeBin(before: Timestamp.now.milliseconds - BinnedPairing.retention)
        }
        var changes = await store.changes.begin()
        repeat {
            reporter.works(except: await Self.trouble(store))
        } while await changes.next(isolation: nil) != nil
        throw PartEnd(description: "the store of pairings was moved or replaced")
    }

    /// Returns what the store cannot do, for people.
    private static func trouble(_ store: PairingStore) async -> String? {
        if let path = store.setAside { return "it was damaged: it is kept as \(path), and a new one was made" }
        return try? await store.perform { store in store.keyProblem.map { "the secrets are sealed: \($0)" } }
    }
}
