internal import Console
internal import Pairing
internal import Scanning

/// The pairings, laid over a map of gateways while a verb runs.
struct PairedOverlay: Sendable {
    /// The time between two looks for a store that does not exist yet.
    private static let storeInterval = Duration.seconds(1)

    /// The store; `nil` if there is none yet.
    let store: PairingStore?

    /// The pairings when the verb began.
    let pairings: [StoredPairing]

    /// Nothing is paired, and nothing will be shown as paired.
    static let none = PairedOverlay(store: nil, pairings: [], looksForStore: false)

    /// Indicates whether a store is looked for while there is none.
    var looksForStore = true

    /// Returns what is paired, to show in addition to findings of a scan; nothing, with a warning, if it cannot be read.
    ///
    /// - Parameter timeout: The time for which the findings wait for it: another process may have the store for longer.
    static func stored(within timeout: Duration) async -> PairedOverlay {
        do throws(CommandFailure) {
            return try await StoreAccess.read(within: timeout) { store throws(StoreError) in
                PairedOverlay(store: store, pairings: try store?.pairings() ?? [])
            }
        } catch {
            Notes.warning("what is paired is not shown: \(error.message)")
            return .none
        }
    }

    /// Reports the pairings to a map, and what is paired, trusted and unpaired meanwhile, while the closure runs.
    func laid<Value: Sendable>(
        over constellation: Constellation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        let follower = PairedFollower(constellation)
        await follower.report(pairings)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            if store != nil || looksForStore { group.addTask { await follower.run(await existingStore()) } }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Returns the store as soon as there is one.
    private func existingStore() async -> PairingStore? {
        if let store { return store }
        while (try? await Task.sleep(for: Self.storeInterval)) != nil {
            if let store = try? StoreAccess.openExisting() { return store }
        }
        return nil
    }
}
