internal import GRDB
internal import GatewayProtocol
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
            try noteLost(row["messages"], of: row["sink"], dropped, at: notice.time, db)
        }
        try db.execute(sql: "DELETE FROM message WHERE number <= ? - ?", arguments: [number, mostMessages])
    }

    /// The fate of a message that was dropped, as the end of “a message was”.
    static let dropped = "dropped, since it had waited while \(mostMessages) others came"

    /// Returns the messages that wait for a sink, the oldest first.
    func waiting(for sink: String) throws(NoticeStoreError) -> [WaitingMessage] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, time, notice, tries FROM delivery JOIN message USING (number)
                    WHERE sink = ? ORDER BY number
                    """,
                arguments: [sink]
            )
            return rows.compactMap(WaitingMessage.init)
        }
    }

    /// The rows of one message for one sink.
    private static let condition = "sink = ? AND number IN (SELECT number FROM message WHERE id = ?)"

    /// Takes in that the message with a number was delivered to a sink, or never will be.
    ///
    /// - Parameter loss: What has happened to one that never will be, as the end of “a message was”.
    func finish(_ id: String, for sink: String, loss: String? = nil, at time: Timestamp = .now) throws(NoticeStoreError)
    {
        try write { db in
            if let loss { try Self.noteLost(1, of: sink, loss, at: time, db) }
            try db.execute(sql: "DELETE FROM delivery WHERE \(Self.condition)", arguments: [sink, id])
            try Self.dropDelivered(db)
        }
    }

    /// Takes in that the message with a number could not be delivered to a sink.
    func noteFailure(of id: String, for sink: String) throws(NoticeStoreError) {
        try write { db in
            try db.execute(
                sql: "UPDATE delivery SET tries = tries + 1 WHERE \(Self.condition)",
                arguments: [sink, id]
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
    /// The number by which whoever receives it knows it again.
    package let id: String

    /// The time at which it was decided.
    package let time: Timestamp

    /// The number of attempts to deliver it that have failed.
    package internal(set) var tries: Int

    /// The message as programs receive it: the line of a ``NoticeReport``.
    package let line: String

    private let document: JSONValue

    /// The limits of a message. Those of earlier versions can be longer.
    private static let limits = JSONLimits(maximumBytes: 1_048_576)

    init?(_ row: Row) {
        guard let id = String.fromDatabaseValue(row["id"]), let time = Int.fromDatabaseValue(row["time"]),
            let line = String.fromDatabaseValue(row["notice"]), let tries = Int.fromDatabaseValue(row["tries"])
        else { return nil }
        self.init(id: id, time: Timestamp(milliseconds: time), tries: tries, line: line)
    }

    /// Makes a message that was not tried yet.
    package init(_ notice: Notice) {
        let id = Self.makeID()
        self.init(id: id, time: notice.time, tries: 0, line: NoticeReport(notice, id: id).line)
    }

    private init(id: String, time: Timestamp, tries: Int, line: String) {
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
