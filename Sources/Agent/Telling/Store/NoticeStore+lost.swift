internal import GRDB
package import Reports

/// The messages that will never be delivered: the user has to see it, and may look tomorrow.
extension NoticeStore {
    /// The time for which it is shown that messages were lost, since the last one, in milliseconds.
    static let lostRetention = 7 * 86_400_000

    /// Takes in that messages of a sink are lost.
    ///
    /// - Parameter reason: What has happened to the last one, as the end of “a message was”.
    static func noteLost(_ number: Int, of sink: String, _ reason: String, at time: Timestamp, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO lost (sink, messages, time, reason) VALUES (?, ?, ?, ?)
                ON CONFLICT (sink) DO UPDATE SET
                messages = excluded.messages + CASE WHEN time > ? THEN messages ELSE 0 END,
                time = excluded.time, reason = excluded.reason
                """,
            arguments: [sink, number, time.milliseconds, reason, time.milliseconds - lostRetention]
        )
    }

    /// Returns the messages of a sink that were lost lately, with the time of the last one; `nil` if none was.
    func lastLoss(of sink: String, at time: Timestamp) throws(NoticeStoreError) -> (LostMessages, Timestamp)? {
        try losses(at: time).first { $0.0.sink == sink }
    }

    /// Returns the messages that were lost lately, by sinks.
    package func lost(at time: Timestamp) throws(NoticeStoreError) -> [LostMessages] { try losses(at: time).map(\.0) }

    private func losses(at time: Timestamp) throws(NoticeStoreError) -> [(LostMessages, Timestamp)] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT * FROM lost WHERE time > ? ORDER BY sink",
                arguments: [time.milliseconds - Self.lostRetention]
            )
            return rows.compactMap { row in
                LostMessages(row).map { ($0, Timestamp(milliseconds: row["time"])) }
            }
        }
    }

    /// Forgets those of sinks that the settings do not have, since the user has changed these.
    package func forgetLost(besides sinks: [String]) throws(NoticeStoreError) {
        let others = try lost(at: Timestamp(milliseconds: 0)).map(\.sink).filter { !sinks.contains($0) }
        guard !others.isEmpty else { return }
        try write { db in
            for sink in others { try db.execute(sql: "DELETE FROM lost WHERE sink = ?", arguments: [sink]) }
        }
    }
}

/// The messages of one sink that will never be delivered. A value.
package struct LostMessages: Hashable, Sendable {
    package let sink: String
    package let number: Int

    /// The fate of the last one, as the end of “a message was”.
    package let reason: String

    package init(sink: String, number: Int, reason: String) {
        self.sink = sink
        self.number = number
        self.reason = reason
    }

    init?(_ row: Row) {
        guard let sink = String.fromDatabaseValue(row["sink"]), let number = Int.fromDatabaseValue(row["messages"]),
            let reason = String.fromDatabaseValue(row["reason"])
        else { return nil }
        self.init(sink: sink, number: number, reason: reason)
    }

    /// The sentence about them for the user.
    package var trouble: String {
        "\(sink): "
            + (number == 1 ? "a message was \(reason)" : "\(number) messages were lost, the last one was \(reason)")
    }
}
