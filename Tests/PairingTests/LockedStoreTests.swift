import Foundation
import GRDB
import Testing

@testable import Pairing

/// A store that another process keeps locked.
extension PairingCoordinatorTests {
    /// Pairings that end while the store is locked take no thread from other tasks, such as those of sessions.
    @Test func aLockedStoreBlocksNobodyElse() async throws {
        try await with { house in
            let id = try await house.coordinator.pair(house.target) { $0.isQuestion ? .confirm(PairingConsent()) : nil }
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: house.location.database, configuration: configuration)
            try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
            let count = ProcessInfo.processInfo.activeProcessorCount * 2
            let ended = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<count {
                    let coordinator = PairingCoordinator(store: house.store, constellation: house.constellation)
                    group.addTask { (try? await coordinator.forget(id)) != nil }
                }
                let start = ContinuousClock.now
                for _ in 0..<100 { await Task.detached {}.value }
                // Whoever waits for the store waits for 5 s.
                #expect(ContinuousClock.now - start < .seconds(4))
                try? await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(ended >= 1)
            #expect(try house.store.pairings().isEmpty)
        }
    }
}
