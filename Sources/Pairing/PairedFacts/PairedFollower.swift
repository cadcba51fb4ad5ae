package import GatewayProtocol
package import Scanning

/// Keeps a map up to date with what is paired, for programs that keep no sessions: whatever this process or another one
/// pairs, trusts or ends meanwhile is shown, too.
package actor PairedFollower {
    /// The time between two looks at the sessions of other processes: some files are read each time.
    private static let sessionInterval = Duration.seconds(1)

    private let constellation: Constellation
    private var paired = PairedGateways()
    private var sessions = OthersSessions()

    package init(_ constellation: Constellation) {
        self.constellation = constellation
    }

    /// The pairings as they were last read.
    package var pairings: PairedGateways { paired }

    /// Reports pairings to the map.
    package func report(_ found: [StoredPairing], _ aliases: [GatewayAlias]? = nil) async {
        let events = paired.take(found, aliases: aliases)
        if !events.isEmpty { await constellation.apply(events) }
    }

    /// Follows the store and the map until the task is cancelled.
    ///
    /// - Parameter store: The store; `nil` if there is none yet.
    package func run(_ store: PairingStore?) async {
        await withDiscardingTaskGroup { group in
            if let store {
                group.addTask { await self.follow(store) }
                group.addTask { await self.followSessions(store) }
            }
            group.addTask { await self.followMap() }
        }
    }

    private func follow(_ store: PairingStore) async {
        var changes = await store.changes.begin()
        var found: (pairings: [StoredPairing], aliases: [GatewayAlias])?
        repeat {
            // What cannot be read stays as it was.
            found = try? await store.perform { store throws(StoreError) in
                (pairings: try store.pairings(), aliases: try store.aliases())
            }
            if let found { await report(found.pairings, found.aliases) }
        } while await changes.next(ifRead: found != nil) != nil
    }

    /// Reports the sessions that other processes have.
    private func followSessions(_ store: PairingStore) async {
        repeat {
            let pairings = paired.pairings.values.filter { !$0.credentials.isEmpty }.sorted { $0.id < $1.id }
            let held = try? await store.perform { store throws(StoreError) in
                store.heldSessions(of: pairings.flatMap { $0.credentials.map(\.id) })
            }
            let events = sessions.take(held ?? [:], of: paired)
            if !events.isEmpty { await constellation.apply(events) }
        } while (try? await Task.sleep(for: Self.sessionInterval)) != nil
    }

    /// Looks at the network of gateways without TLS whenever they answer, or stop.
    private func followMap() async {
        for await update in constellation.updates {
            let events: [BotMapEvent] =
                switch update {
                case .snapshot(let snapshot): snapshot.gateways.flatMap { paired.look($0) }
                case .change(.found(let row), _): paired.look(row)
                case .change(.changed(let row, let aspects), _): paired.look(row, after: aspects)
                case .change(.lost, _), .change(.joined, _), .change(.problem, _): []
                }
            if !events.isEmpty { await constellation.apply(events) }
        }
    }
}
