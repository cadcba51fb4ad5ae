import Foundation
import GRDB
import GatewayProtocol
import TestSupport
import Testing

@testable import Pairing

/// Several users of one store. Two stores on one file stand for two processes: SQLite's locks and ours exclude each
/// other even within one process.
@Suite struct ConcurrencyTests {
    @Test func twoStoresWriteInTurns() async throws {
        try await StoreFolder.with { folder in
            let stores = try [folder.open(), folder.open()]
            let all = try await withThrowingTaskGroup(of: [StoredPairing].self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        try (0..<20).map { index in
                            let pairing = try StoredPairing.sample("\(number)-\(index)", pairedAt: 2 * index + number)
                            try store.insert(pairing, secrets: pairing.sampleSecrets)
                            if index % 2 == 0 { try store.moveToBin(pairing.id, reason: .forgotten, at: index) }
                            if index % 4 == 0 { try store.restore(pairing.id) }
                            return pairing
                        }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let live = all.filter { $0.pairedAt / 2 % 4 != 2 }.sorted { $0.pairedAt < $1.pairedAt }
            for store in stores {
                #expect(try store.pairings() == live)
                #expect(try store.bin().count == all.count - live.count)
            }
        }
    }

    /// No change is lost when two stores update the same pairing concurrently.
    @Test func changesOfOnePairingAreNotLost() async throws {
        try await StoreFolder.with { folder in
            let stores = try [folder.open(), folder.open()]
            let pairing = try StoredPairing.sample()
            try stores[0].insert(pairing, secrets: pairing.sampleSecrets)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for store in stores {
                    group.addTask {
                        for _ in 0..<20 {
                            try store.update(pairing.id) { $0.lastConnected = ($0.lastConnected ?? 0) + 1 }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try stores[0].pairing(pairing.id)?.lastConnected == 2_040)
        }
    }

    /// A tool and a daemon that are started for the first time at the same moment create one identity and one key.
    @Test func concurrentOpeningsCreateOneIdentity() async throws {
        try await StoreFolder.with { folder in
            let devices = try await withThrowingTaskGroup(of: DeviceIdentity.self) { group in
                for _ in 0..<6 { group.addTask { try folder.open().device } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(devices.map(\.id)).count == 1)
            #expect(try devices.allSatisfy { try $0.signature(of: [1]).count == 64 })
        }
    }

    // MARK: Locks

    /// Only one session can hold the lock of a credential. A second one gets an error that names the holder.
    @Test func aCredentialHasOneSession() async throws {
        try await StoreFolder.with { folder in
            let stores = try [folder.open(), folder.open()]
            let credential = CredentialID()
            let lock = try stores[0].lock(credential)
            let error = #expect(throws: StoreError.self) { _ = try stores[1].lock(credential) }
            #expect(error?.code == .locked)
            // The user has to know which process to end.
            #expect(error?.holder?.process == ProcessInfo.processInfo.processIdentifier)
            #expect(error?.holder?.program == CommandLine.arguments.first.map { URL(filePath: $0).lastPathComponent })
            #expect("\(error as Any)".contains("\(ProcessInfo.processInfo.processIdentifier)"))
            _ = try stores[1].lock(CredentialID())
            lock.release()
            lock.release()
            _ = try stores[1].lock(credential)
        }
    }

    @Test func aLockEndsWithItsLastReference() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let credential = CredentialID()
            do { _ = try store.lock(credential) }
            let lock = try store.lock(credential)
            withExtendedLifetime(lock) { #expect(code { _ = try store.lock(credential) } == .locked) }
        }
    }

    /// A note in a lock file that does not contain a process and a program names no holder.
    @Test(arguments: ["", "\n", "x clawradar\n", "-1 clawradar\n", "12\n"])
    func aMalformedNoteNamesNoHolder(note: String) {
        #expect(LockHolder(note: note) == nil)
        #expect(LockHolder(note: "12 a b\nmore") == LockHolder(process: 12, program: "a b"))
    }

    // MARK: Changes

    /// Changes by this store and by another process are both reported.
    @Test(.timeLimit(.minutes(1))) func changesHereAndElsewhereAreTold() async throws {
        try await StoreFolder.with { folder in
            let store = try PairingStore(folder.location, pollInterval: .milliseconds(5))
            let other = try folder.open()
            var changes = store.changes.makeAsyncIterator()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            #expect(await changes.next() != nil)
            try other.moveToBin(pairing.id, reason: .forgotten, at: 1)
            #expect(await changes.next() != nil)
            #expect(try store.pairings().isEmpty)
        }
    }

    /// The store looks for changes by other processes once in each interval of its clock.
    @Test(.timeLimit(.minutes(1))) func changesElsewhereAreNoticedByTheClock() async throws {
        try await StoreFolder.with { folder in
            let clock = TurnedClock()
            let store = try PairingStore(folder.location, pollInterval: .milliseconds(500), clock: clock)
            let other = try folder.open()
            var changes = store.changes.makeAsyncIterator()
            await clock.nextSleep()
            #expect(clock.waits == [.milliseconds(500)])
            try other.updateDevice(name: "Renamed")
            clock.turn(by: .milliseconds(500))
            #expect(await changes.next() != nil)
            #expect(store.device.name == "Renamed")
        }
    }

    /// The sequence of changes ends when its task is cancelled or the store is gone.
    @Test(.timeLimit(.minutes(1))) func changesEndWithTheStoreAndTheTask() async throws {
        try await StoreFolder.with { folder in
            var store: PairingStore? = try folder.open()
            var changes = try #require(store?.changes.makeAsyncIterator())
            let sequence = try #require(store?.changes)
            let task = Task { for await _ in sequence {} }
            task.cancel()
            await task.value
            store = nil
            #expect(await changes.next() == nil)
            // An iteration that begins afterwards ends at once.
            for await _ in sequence { Issue.record("a store that is gone must report no changes") }
        }
    }
}
