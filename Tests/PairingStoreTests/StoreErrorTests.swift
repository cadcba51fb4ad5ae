import DNSSD
import GRDB
import GatewayProtocol
import Testing

@testable import Pairing

@Suite struct StoreErrorTests {
    /// Each result code of SQLite becomes an error code. Those that the user can do something about, such as a full
    /// disk, have codes of their own.
    @Test(arguments: [
        (ResultCode.SQLITE_FULL, ErrorCode<StoreError>.noSpace), (.SQLITE_READONLY, .readOnly),
        (.SQLITE_READONLY_DBMOVED, .replaced), (.SQLITE_IOERR_FSYNC, .inputOutput), (.SQLITE_IOERR, .inputOutput),
        (.SQLITE_CANTOPEN, .forbidden), (.SQLITE_CORRUPT, .damaged), (.SQLITE_NOTADB, .damaged), (.SQLITE_BUSY, .busy),
        (.SQLITE_ERROR, .system), (.SQLITE_CONSTRAINT, .system),
    ])
    func sqliteResultCodesBecomeErrorCodes(result: ResultCode, code: ErrorCode<StoreError>) {
        let error = StoreError(DatabaseError(resultCode: result), path: "/store")
        #expect(error.code == code)
        #expect("\(error)".hasPrefix("/store: expected a database that can be read and written, found: "))
    }

    /// A pairing with its bots and credentials, which are many rows, is stored completely or not at all if the disk is
    /// full.
    @Test func aFullDiskLeavesWhatWasThere() async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.database.write { db in
                let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
                try db.execute(sql: "PRAGMA max_page_count = \(pages + 1)")
            }
            var large = try StoredPairing.sample()
            large.bots = (0..<500).compactMap { number in
                BotID("\(number)").map { StoredBot(id: $0, name: String(repeating: "x", count: 100)) }
            }
            #expect(code { try store.insert(large, secrets: large.sampleSecrets) } == .noSpace)
            #expect(try store.pairings() == [pairing])
            #expect(try store.bin().isEmpty)
            #expect(code { try store.update(pairing.id) { $0.bots = large.bots } } == .noSpace)
            #expect(try folder.open().pairings() == [pairing])
        }
    }

    /// A pairing with a value that cannot be read, from a later version or damaged, is left out and named. It is kept as
    /// it is, and others beside it are read, changed, moved to the bin and purged.
    @Test(arguments: [
        "UPDATE pairing SET dialect = 'future'", "UPDATE pairing SET leaf = x'00', trust = 'pinned'",
        "UPDATE pairing SET pairedAt = 'never'", "UPDATE pairing SET name = x'FF'", "UPDATE pairing SET id = 'x'",
        "UPDATE pairing SET networkPrefix = x'00', trust = 'lan'", "UPDATE endpoint SET port = 65536",
        "UPDATE endpoint SET address = x'00'", "UPDATE bot SET id = x'' WHERE position = 0",
        "UPDATE credential SET id = 'x' WHERE position = 0",
        "UPDATE credential SET sealedToken = 'text'", "UPDATE pairing SET binnedAt = 1, binReason = 'future'",
    ])
    func aPairingThatCannotBeReadIsLeftOutAndKept(change: String) async throws {
        try await StoreFolder.with { folder in
            let store = try folder.open()
            let pairing = try StoredPairing.sample()
            try store.insert(pairing, secrets: pairing.sampleSecrets)
            try store.database.write { db in
                try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
                try db.execute(sql: change)
                if change.contains("pairing SET id") {
                    for table in ["endpoint", "bot", "credential"] { try db.execute(sql: "DELETE FROM \(table)") }
                }
                if change.contains("credential SET id") {
                    for table in ["credentialBot", "credentialScope"] { try db.execute(sql: "DELETE FROM \(table)") }
                }
            }
            let before = try Self.rows(store)
            let others = try (0..<2).map { try StoredPairing.sample("Other", pairedAt: 5_000 + $0) }
            for other in others { try store.insert(other, secrets: other.sampleSecrets) }
            #expect(try store.pairings() == others)
            let unreadable = try store.unreadablePairings()
            #expect(unreadable.count == 1)
            #expect(unreadable.first?.path == folder.location.database && unreadable.first?.column != nil)
            let name = change.contains("pairing SET id") ? "x" : pairing.id.description
            #expect(unreadable.first?.pairing == name)
            try store.update(others[0].id) { $0.name = "Renamed" }
            try store.moveToBin(others[1].id, reason: .unpaired(withdrawnThere: false), at: 1)
            #expect(try store.bin().map(\.pairing.id) == [others[1].id])
            try store.purgeBin(before: 8)
            try store.purgeBin(before: 8 + BinnedPairing.purgeInterval)
            #expect(try store.bin().isEmpty)
            let next = try folder.open()
            #expect(next.setAside == nil)
            #expect(try next.pairings().map(\.name) == ["Renamed"])
            try next.update(others[0].id) { $0.name = "Other" }
            try next.moveToBin(others[0].id, reason: .forgotten, at: 1)
            try next.purgeBin(before: 8)
            try next.purgeBin(before: 8 + BinnedPairing.purgeInterval)
            #expect(try Self.rows(next) == before)
        }
    }

    /// The rows of all pairings, as text.
    private static func rows(_ store: PairingStore) throws -> [String] {
        try store.database.read { db in
            try ["pairing", "endpoint", "bot", "credential", "credentialBot", "credentialScope"].flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }
            }
        }
    }

    /// The names of codes stay the same, because logs contain them.
    @Test func codesHaveNamesThatStay() {
        #expect("\(ErrorCode<StoreError>.newerVersion)" == "newerVersion")
        #expect("\(ErrorCode<StoreError>.sealed)" == "sealed")
    }
}
