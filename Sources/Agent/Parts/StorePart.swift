internal import Discovery
internal import HostSystem
internal import Pairing
internal import Reports

/// The part that has the store of pairings open, for the other parts.
final class StorePart: Sendable {
    private let location: @Sendable () throws(StoreError) -> StoreLocation
    private let sole: SoleAgent
    private let opened = Broadcast<PairingStore?>(nil)

    /// - Parameters:
    ///   - location: Locates the store, each time that it is opened.
    ///   - sole: The right to be the only agent with it.
    init(_ location: @escaping @Sendable () throws(StoreError) -> StoreLocation, _ sole: SoleAgent) {
        self.location = location
        self.sole = sole
    }

    /// The store; `nil` while it is not open.
    var store: PairingStore? { opened.value }

    /// The store, now and whenever it is opened or closed. A slow reader gets the latest one.
    var stores: some AsyncSequence<PairingStore?, Never> & Sendable { opened.stream(limit: 1) }

    /// Opens the store, and returns when it must be opened anew.
    func run(_ reporter: PartReporter) async throws {
        try sole.takeStore()
        let store = try await open()
        defer { opened.send(nil) }
        opened.send(store)
        // A failure is ignored, because the next opening purges the bin again.
        _ = try? await store.perform { store throws(StoreError) in
            try store.purgeBin(before: Timestamp.now.milliseconds - BinnedPairing.retention)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    // What this agent has locked may have been removed, and then has to be locked anew.
                    try self.sole.takeStore()
                    let trouble = await Self.trouble(store)
                    reporter.works(except: trouble)
                    try await Task.sleep(for: trouble == nil ? Self.interval : Self.shortInterval)
                }
            }
            group.addTask {
                var changes = await store.changes.begin()
                while await changes.next(isolation: nil) != nil { reporter.works(except: await Self.trouble(store)) }
                throw PartEnd(description: "the store of pairings was moved or replaced")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// The time between two checks that it can be written to, and the one while it cannot.
    private static let (interval, shortInterval) = (Duration.seconds(10), Duration.seconds(5))

    private static let calls = BlockingCalls(most: 2)

    /// Opens the store on a thread of its own: others may have it for seconds.
    private func open() async throws(StoreError) -> PairingStore {
        let location = location
        return try await withCheckedContinuation { continuation in
            Self.calls.run {
                continuation.resume(
                    returning: Result { () throws(StoreError) in try PairingStore(location()) }
                )
            }
        }
        .get()
    }

    /// Returns what the store cannot do, for people.
    private static func trouble(_ store: PairingStore) async -> String? {
        if let path = store.setAside { return "it was damaged: it is kept as \(path), and a new one was made" }
        do throws(StoreError) {
            return try await store.perform { store throws(StoreError) in
                try store.checkAccess()
                return store.keyProblem.map(\.keySentence)
            }
        } catch {
            return error.code == .cancelled ? nil : error.description
        }
    }
}
