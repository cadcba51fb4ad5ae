import Foundation
import GRDB
import GatewayProtocol
import SystemPackage
import Testing

@testable import Pairing

/// The check that is made before anything is asked of a gateway: whatever would prevent its answer from being stored
/// is found, and nothing is changed.
@Suite struct WritableTests {
    /// A store that can be written to passes, and is the same afterwards, for its readers in other processes too.
    @Test func aCheckChangesNothing() async throws {
        try await StoreFolder.with { folder in
            let (store, other) = (try folder.open(), try folder.open())
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            let version = try other.database.dataVersion()
            let before = try folder.content()
            try store.checkWritable()
            try store.checkWritable(credentials: 2, in: pairing.id)
            #expect(try folder.content() == before)
            #expect(try other.database.dataVersion() == version)
        }
    }

    /// A store that has no room for the pages of another pairing is full, before the first page is committed.
    @Test func aFullStoreIsFound() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            try store.database.write { db in
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                try db.execute(sql: "PRAGMA max_page_count = \(pages + 4)")
            }
            #expect(code { try store.checkWritable() } == .noSpace)
            #expect(try store.pairings().isEmpty)
        }
    }

    /// The pages are really written to the disk, since only that shows whether it is full.
    @Test func theDiskIsWrittenTo() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let size = {
                try FileManager.default.attributesOfItem(atPath: folder.location.database)[.size] as? Int ?? 0
            }
            let before = try size()
            var largest = 0
            try store.database.tryWriting(bytes: 65_536) { db in
                try db.execute(sql: "CREATE TABLE early (bytes BLOB)")
                try db.execute(sql: "INSERT INTO early VALUES (randomblob(65536))")
                largest = try size()
            }
            #expect(largest > before + 32_768)
            #expect(try size() == before)
        }
    }

    /// A database that another process keeps, a folder that cannot be written to, and a missing key are found.
    @Test func aLockedAndASealedStoreAreFound() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            var configuration = Configuration()
            configuration.busyMode = .immediateError
            let other = try DatabaseQueue(path: folder.location.database, configuration: configuration)
            try store.database.write { try $0.execute(sql: "PRAGMA busy_timeout = 1") }
            try other.writeWithoutTransaction { db in
                try db.execute(sql: "BEGIN IMMEDIATE")
                #expect(code { try store.checkWritable() } == .busy)
                try db.execute(sql: "ROLLBACK")
            }
            try store.checkWritable()
            try FileManager.default.removeItem(atPath: folder.location.keyFile)
            #expect(code { try folder.open().checkWritable() } == .sealed)
        }
    }

    /// The numbers of pairings and credentials are limited, and the limit is found before it is exceeded.
    @Test func theLimitsAreFound() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.checkWritable(credentials: StoreLimits.credentials - 2, in: pairing.id)
            #expect(
                code { try store.checkWritable(credentials: StoreLimits.credentials - 1, in: pairing.id) } == .invalid
            )
            try store.moveToBin(pairing.id, reason: .forgotten, at: 1)
            #expect(code { try store.checkWritable(in: pairing.id) } == .notFound)
            try store.database.write { db in
                try db.execute(
                    sql: """
                        WITH RECURSIVE number (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                        INSERT INTO pairing (id, gatewayID, name, dialect, trust, leaf, resource, connectsAutomatically,
                            pairedAt)
                        SELECT 'pairing ' || n, gatewayID, name, dialect, trust, leaf, resource, connectsAutomatically,
                            pairedAt
                        FROM pairing, number
                        """,
                    arguments: [StoreLimits.pairings]
                )
            }
            #expect(code { try store.checkWritable() } == .invalid)
        }
    }
}
