internal import Scanning

/// Waiting for the outcome of the first attempts.
extension Connections {
    /// Waits until the store has been read, and none of the sessions is being established. Returns at once while they are not
    /// kept.
    ///
    /// - Parameter deadline: The latest time at which to return.
    package func settle(until deadline: ContinuousClock.Instant) async {
        await readStore()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in self.constellation.news(of: .sessions) where await self.isSettled { return }
            }
            group.addTask { [environment] in
                try? await environment.clock.sleep(until: deadline, tolerance: nil)
            }
            await group.next()
            group.cancelAll()
        }
    }

    private var isSettled: Bool {
        get async {
            let shown = await constellation.snapshot.sessions
            let known = Set(shown.map(\.id))
            return kept.keys.allSatisfy { known.contains("\($0)") } && shown.allSatisfy { $0.state != .connecting }
        }
    }
}
