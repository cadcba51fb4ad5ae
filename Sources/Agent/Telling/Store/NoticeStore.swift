internal import GRDB
internal import HostSystem
internal import SystemPackage

/// The history of gateways, and the messages that wait to be delivered, in a database that survives crashes.
///
/// It lies beside the store of pairings and not in it: what is written here every minute can never damage what cannot be
/// had again. Several processes can have it open. Calls block for as long as the disk takes.
package final class NoticeStore: Sendable {
    /// The time for which the history is kept, in milliseconds.
    package static let retention = 90 * 86_400_000

    /// The time between two looks for what is too old, in milliseconds.
    static let purgeInterval = 3_600_000

    /// The longest time between two looks of an agent that runs, in milliseconds, that a clock which was set does not
    /// explain better.
    static let longestPause = 86_400_000

    /// The maximum number of outages that are kept, and of each other kind of what is in the history.
    static let mostOutages = 100_000

    /// The time after which an agent has run for long enough to be seen in the history, in milliseconds.
    static let shortestRun = 60_000

    /// The maximum number of messages that wait. Of more, the oldest are dropped, which is shown.
    static let mostMessages = 1_000

    /// The name of the file.
    package static let fileName = "history.sqlite"

    /// The path of the file.
    package let path: String

    let queue: DatabaseQueue

    /// The threads that make the calls of tasks.
    private static let calls = BlockingCalls(most: 2)

    /// Opens the database. The first time, creates it.
    ///
    /// - Parameter folder: The folder of the store of pairings.
    /// - Throws: An error also for a history of a later version, which is left unchanged.
    package init(folder: String) throws(NoticeStoreError) {
        path = FilePath(folder).appending(Self.fileName).string
        do {
            try PrivateFolder(path: FilePath(folder)).prepareWithParents()
            let file = SafeFile(path: FilePath(path))
            // An empty file first: its mode is right before SQLite writes a byte, and the journal gets the same.
            if try !file.checkUnopened() { try file.write([]) }
            queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            let migrator = NoticeSchema.migrator
            guard try !queue.read(migrator.hasBeenSuperseded) else { throw LaterVersion() }
            try migrator.migrate(queue)
        } catch {
            throw NoticeStoreError(path, error)
        }
    }

    /// A history with tables that this version does not know, and so could damage.
    private struct LaterVersion: Error, CustomStringConvertible {
        let description = "a history of a later version, which is left as it is. Install that version"
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "clawradar.history"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
            // A forged file must not be able to run SQL of its own.
            try db.execute(sql: "PRAGMA trusted_schema = OFF")
        }
        return configuration
    }

    func read<Value>(_ body: (Database) throws -> Value) throws(NoticeStoreError) -> Value {
        do { return try queue.read(body) } catch { throw NoticeStoreError(path, error) }
    }

    func write<Value>(_ body: (Database) throws -> Value) throws(NoticeStoreError) -> Value {
        do { return try queue.write(body) } catch { throw NoticeStoreError(path, error) }
    }

    /// Calls a closure on a thread of the database, so that a task need not wait for the disk.
    package func perform<Value: Sendable>(
        _ body: @escaping @Sendable (NoticeStore) throws(NoticeStoreError) -> Value
    ) async throws(NoticeStoreError) -> Value {
        let result: Result<Value, NoticeStoreError> = await withCheckedContinuation { continuation in
            Self.calls.run {
                continuation.resume(returning: Result { () throws(NoticeStoreError) in try body(self) })
            }
        }
        return try result.get()
    }
}

/// The reason why the history cannot be read or written.
package struct NoticeStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ path: String, _ error: any Error) {
        let found = (error as? DatabaseError).map { "\($0.message ?? "SQLite error \($0.resultCode.rawValue)")" }
        description = "\(path): \(found ?? "\(error)")"
    }
}
