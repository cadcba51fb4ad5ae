internal import GRDB
internal import SafeFiles
internal import SystemPackage

/// The open database: one connection, whose calls wait for each other and for those of other processes.
///
/// A rollback journal, and no write-ahead log: a store is small and seldom written, one file is easier to copy, move and
/// keep private than three, and a folder that cannot be written to can still be read.
struct StoreDatabase: Sendable {
    /// The longest wait for another process, after which a call fails with ``StoreError/Code/busy``.
    static let patienceInSeconds = 5

    /// The path of the file.
    let path: String

    private let queue: DatabaseQueue

    /// The file that is open.
    private let file: FileIdentity?

    /// Opens the file, which must be there.
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
        configuration.busyMode = .timeout(Double(patienceInSeconds))
        configuration.prepareDatabase { db in
            // EXTRA: as FULL, and the folder is synchronized after the journal is removed, which is what commits. Without
            // it a power failure could bring the journal back, and undo what was reported as done.
            try db.execute(sql: "PRAGMA synchronous = EXTRA")
            // What is removed is overwritten, also where it is sealed.
            try db.execute(sql: "PRAGMA secure_delete = ON")
            // Pages that do not fit into memory would go to a file of their own.
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            // A file that is made up must not have its own SQL run.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    /// Reads at one moment.
    ///
    /// - Throws: Also ``StoreError/Code/replaced``: what was moved away is the truth no more. (SQLite itself says so to those who
    ///   write.)
    func read<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try checkPlace()
        return try StoreError.translating(path) { try queue.read(body) }
    }

    /// Sees to it that the file is still where it was opened.
    private func checkPlace() throws(StoreError) {
        let found: FileIdentity?
        do throws(SafeFileError) {
            found = try FileIdentity.of(FilePath(path))
        } catch {
            // Not known to be another one.
            return
        }
        guard found != file else { return }
        throw StoreError(DatabaseError(resultCode: .SQLITE_READONLY_DBMOVED), path: path)
    }

    /// Reads and writes as one: all of it or nothing, and nobody else between.
    func write<Result>(_ body: (Database) throws -> Result) throws(StoreError) -> Result {
        try StoreError.translating(path) {
            try queue.writeWithoutTransaction { db in
                var result: Result?
                // IMMEDIATE: two that have read both and then want to write would wait for each other.
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

    /// The number that SQLite changes with each commit of another connection (`PRAGMA data_version`).
    ///
    /// - Throws: Also ``StoreError/Code/replaced``, as ``read(_:)`` does.
    func dataVersion() throws(StoreError) -> Int {
        try checkPlace()
        return try StoreError.translating(path) {
            try queue.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
        }
    }

    /// Indicates whether a later version of this library wrote it.
    func isOfLaterVersion() throws(StoreError) -> Bool { try read { try Schema.migrator.hasBeenSuperseded($0) } }

    /// Sees to it that the file is whole.
    func check() throws(StoreError) {
        let answer = try read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        guard answer == "ok" else {
            throw StoreError(.damaged, path: path, expected: "a database that is whole", found: "one that is not")
        }
    }

    /// Brings the tables to this version.
    func migrate() throws(StoreError) {
        guard try !read({ try Schema.migrator.hasCompletedMigrations($0) }) else { return }
        try StoreError.translating(path) { try Schema.migrator.migrate(queue) }
    }

    /// Closes it: what is asked after that fails.
    func close() {
        // It ends with the last reference in any case; a busy statement is the only reason to fail, and there is none.
        try? queue.close()
    }
}
