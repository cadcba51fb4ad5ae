internal import GRDB
internal import Glibc
internal import HostSystem
internal import SystemPackage

/// The open database: one connection, whose calls wait for each other and for those of other processes.
///
/// It has a rollback journal and no write-ahead log: the store is small and seldom written, one file is easier to copy,
/// move and keep private than three, and the store can be read even if its folder cannot be written to.
struct StoreDatabase: Sendable {
    /// The longest time to wait for another process, after which a call fails with `busy`.
    static let busyTimeoutInSeconds = 5

    /// The path of the file.
    let path: String

    private let queue: DatabaseQueue

    /// The calls by tasks, which must not wait for the database themselves.
    let calls = StoreCalls()

    /// The identity of the open file.
    private let file: FileIdentity?

    /// Opens the file, which must exist.
    init(_ path: String) throws(StoreError) {
        self.path = path
        (queue, file) = try StoreError.translating(path) { () throws -> (DatabaseQueue, FileIdentity?) in
            let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            return (queue, try FileIdentity.of(FilePath(path)))
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "clawradar.store"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(Double(busyTimeoutInSeconds))
        configuration.prepareDatabase { db in
            // EXTRA: as FULL, and the folder is synchronized after the journal is removed, which is what commits. Without
            // it a power failure could bring the journal back, and undo what was reported as done.
            try db.execute(sql: "PRAGMA synchronous = EXTRA")
            // Deleted content is overwritten, even if it is sealed.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            // Otherwise SQLite could write temporary content to files of its own.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            // A forged file must not be able to run SQL of its own.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    /// Reads the state of one moment.
    ///
    /// - Throws: ``StoreError``, also `replaced` when the file was moved away, since its content is
    ///   outdated then. (For writes, SQLite itself reports this.)
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try checkPlace()
        return try StoreError.translating(path) { try queue.read(body) }
    }

    /// Checks that the file at the path is still the one that was opened.
    private func checkPlace() throws(StoreError) {
        let found: FileIdentity?
        do throws(SafeFileError) {
            found = try FileIdentity.of(FilePath(path))
        } catch {
            // Nothing shows that the file was replaced.
            return
        }
        guard found != file else { return }
        throw StoreError(DatabaseError(resultCode: .SQLITE_READONLY_DBMOVED), path: path)
    }

    /// Reads and writes in one transaction: all of it or nothing, and with nobody else in between.
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try StoreError.translating(path) {
            try queue.writeWithoutTransaction { db in
                var result: Result?
                // IMMEDIATE, because two transactions that have both read and then want to write would wait for each
                // other.
                try db.inTransaction(.immediate) {
                    result = try body(db)
                    return .commit
                }
                guard let result else {
                    throw StoreError(.system, path: path, expected: "a transaction that ends", found: "none")
                }
                return result
            }
        }
    }

    /// Writes as many bytes to the disk in one transaction, calls a closure in it, and rolls all of it back.
    ///
    /// - Throws: What a write of that size would meet, and what the closure throws.
    func tryWriting(bytes: Int, _ body: (Database) throws -> Void) throws(StoreError) {
        try StoreError.translating(path) {
            try queue.writeWithoutTransaction { db in
                // Otherwise the pages would stay in memory until a commit: with almost no cache, they are written when
                // they are made.
                let size = try Int.fetchOne(db, sql: "PRAGMA cache_size") ?? 0
                try db.execute(sql: "PRAGMA cache_spill = 1; PRAGMA cache_size = 1")
                // This writes nothing, and so cannot fail.
                defer { try? db.execute(sql: "PRAGMA cache_size = \(size)") }
                try db.inTransaction(.immediate) {
                    try body(db)
                    try db.execute(sql: "CREATE TABLE attempt (bytes BLOB)")
                    // Random bytes: a file system may store zeros without using room.
                    try db.execute(sql: "INSERT INTO attempt VALUES (randomblob(?))", arguments: [bytes])
                    return .rollback
                }
            }
        }
    }

    /// Takes the right to write and gives it back, without writing.
    ///
    /// - Throws: What a write would meet, but for what only a full disk or a disk that fails shows.
    func tryLocking() throws(StoreError) {
        guard access(path, W_OK) == 0 || errno != EROFS else {
            throw StoreError(DatabaseError(resultCode: .SQLITE_READONLY), path: path)
        }
        try StoreError.translating(path) {
            try queue.writeWithoutTransaction { try $0.inTransaction(.immediate) { .rollback } }
        }
    }

    /// The number that SQLite changes with each commit of another connection (`PRAGMA data_version`).
    ///
    /// - Throws: ``StoreError``, also `replaced`, as ``read(_:)`` does.
    func dataVersion() throws(StoreError) -> Int {
        try checkPlace()
        return try StoreError.translating(path) {
            // Asked twice a second for as long as an agent runs, so that it is compiled once.
            try queue.writeWithoutTransaction { database in
                try Int.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
            }
        }
    }

    /// Indicates whether a later version of this library wrote the database.
    func isOfLaterVersion() throws(StoreError) -> Bool { try read { try Schema.isSuperseded($0) } }

    /// Checks that the file is intact.
    func check() throws(StoreError) {
        let answer = try read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        guard answer == "ok" else {
            throw StoreError(.damaged, path: path, expected: "a database that is whole", found: "one that is not")
        }
    }

    /// Migrates the tables to this version.
    func migrate() throws(StoreError) {
        guard try !read({ try Schema.migrator.hasCompletedMigrations($0) }) else { return }
        try StoreError.translating(path) { try Schema.migrator.migrate(queue) }
    }

    /// Closes the database: later calls fail.
    func close() {
        // Only a busy statement could make this fail, and there is none. The connection ends with its last reference in
        // any case.
        try? queue.close()
    }
}
