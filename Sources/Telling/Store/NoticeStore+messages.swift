internal import GRDB
internal import GatewayProtocol
package import Notices
package import Reports

/// The messages that wait: for each sink in the order in which they were decided.
extension NoticeStore {
    /// Adds a message for all sinks.
    static func enqueue(_ notice: Notice, id: String, for sinks: [String], _ db: Database) throws {
        guard !sinks.isEmpty else { return }
        try db.execute(
            sql: "INSERT INTO message (id, time, notice) VALUES (?, ?, ?)",
            arguments: [id, notice.time.milliseconds, NoticeReport(notice, id: id).line]
        )
        let number = db.lastInsertedRowID
        for sink in sinks {
            try db.execute(sql: "INSERT INTO delivery (sink, number) VALUES (?, ?)", arguments: [sink, number])
        }
        let lost = try Row.fetchAll(
            db,
            sql: "SELECT sink, count(*) AS messages FROM delivery WHERE number <= ? GROUP BY sink",
            arguments: [number - Int64(mostMessages)]
        )
        for row in lost {
            let reason = "dropped, since it had waited while \(mostMessages) others came"
            try noteLost(row["messages"], of: row["sink"], reason, at: notice.time, db)
        }
        try db.execute(sql: "DELETE FROM message WHERE number <= ? - ?", arguments: [number, mostMessages])
    }

    /// Returns the oldest message that waits for a sink, and the number of all that do; `nil` if none does.
    package func next(for sink: String) throws(NoticeStoreError) -> (message: WaitingMessage, count: Int)? {
        try read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT message.number, id, time, notice, tries FROM delivery JOIN message USING (number)
                    WHERE sink = ? ORDER BY number LIMIT 1
                    """,
                arguments: [sink]
            )
            guard let row, let message = WaitingMessage(row) else { return nil }
            let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM delivery WHERE sink = ?", arguments: [sink])
            return (message, count ?? 1)
        }
    }

    /// Takes in that a message was delivered to a sink, or never will be.
    ///
    /// - Parameter loss: What has happened to one that never will be, as the end of “a message was”.
    package func finish(
        _ message: WaitingMessage,
        for sink: String,
        loss: String? = nil,
        at time: Timestamp = .now
    ) throws(NoticeStoreError) {
        try write { db in
            if let loss { try Self.noteLost(1, of: sink, loss, at: time, db) }
            let arguments: StatementArguments = [sink, message.number]
            try db.execute(sql: "DELETE FROM delivery WHERE sink = ? AND number = ?", arguments: arguments)
            try Self.dropDelivered(db)
        }
    }

    /// Takes in that a message could not be delivered to a sink.
    package func noteFailure(of message: WaitingMessage, for sink: String) throws(NoticeStoreError) {
        try write { db in
            let arguments: StatementArguments = [sink, message.number]
            try db.execute(
                sql: "UPDATE delivery SET tries = tries + 1 WHERE sink = ? AND number = ?",
                arguments: arguments
            )
        }
    }

    /// Drops the messages that wait for no sink any more.
    static func dropDelivered(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM message WHERE number NOT IN (SELECT number FROM delivery)")
    }
}

/// A message that waits to be delivered to a sink.
package struct WaitingMessage: Hashable, Sendable {
    /// Its place in the order of all.
    let number: Int

    /// The number by which whoever receives it knows it again.
    package let id: String

    /// The time at which it was decided.
    package let time: Timestamp

    /// The number of attempts to deliver it that have failed.
    package let tries: Int

    /// The message as programs receive it: the line of a ``NoticeReport``.
    package let line: String

    private let document: JSONValue

    /// The limits of a message. Those of earlier versions can be longer.
    private static let limits = JSONLimits(maximumBytes: 1_048_576)

    init?(_ row: Row) {
        guard let number = Int.fromDatabaseValue(row["number"]), let id = String.fromDatabaseValue(row["id"]),
            let time = Int.fromDatabaseValue(row["time"]), let line = String.fromDatabaseValue(row["notice"]),
            let tries = Int.fromDatabaseValue(row["tries"])
        else { return nil }
        self.init(number: number, id: id, time: Timestamp(milliseconds: time), tries: tries, line: line)
    }

    /// Makes a message that never waited, to try a sink with.
    package init(_ notice: Notice) {
        let id = Self.makeID()
        self.init(number: 0, id: id, time: notice.time, tries: 0, line: NoticeReport(notice, id: id).line)
    }

    private init(number: Int, id: String, time: Timestamp, tries: Int, line: String) {
        self.number = number
        self.id = id
        self.time = time
        self.tries = tries
        self.line = line
        document = (try? JSONValue(parsing: Array(line.utf8), limits: Self.limits)) ?? .null
    }

    /// Makes the number of a message.
    package static func makeID() -> String { String(UInt64.random(in: 1 << 60 ... .max), radix: 16) }

    package var title: String { document["title"]?.string ?? "" }

    package var text: String { document["text"]?.string ?? "" }

    /// The title without anything from the network.
    package var publicTitle: String { document["publicTitle"]?.string ?? "" }

    package var kind: Notice.Kind? { document["kind"]?.string.flatMap(Notice.Kind.init) }
}
