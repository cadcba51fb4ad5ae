internal import GRDB
package import Reports

/// The messages that wait for sinks which the settings do not have, such as one that has been renamed. A value.
package struct UnclaimedMessages: Hashable, Sendable {
    /// The numbers of messages that wait, by the names of their sinks.
    package var waiting: [String: Int] = [:]

    /// Those that were given up since the settings have changed.
    package var lost: [LostMessages] = []

    package init() {}

    /// A text that tells a user about them; `nil` if there are none.
    package var trouble: String? {
        let lines =
            waiting.sorted { $0.key < $1.key }.map { name, count in
                "\(name): \(count == 1 ? "1 message waits" : "\(count) messages wait"): the settings have no sink of this "
                    + "name. Give a sink this name within a day of the message to have it delivered"
            }
            + lost.map(\.trouble)
        return lines.isEmpty ? nil : lines.joined(separator: "; ")
    }
}

extension NoticeStore {
    /// Returns what waits for sinks that the settings do not have. It is kept for as long as what a sink does not take, and
    /// then given up.
    ///
    /// - Parameter names: The names of the sinks that the settings have.
    package func unclaimed(besides names: [String], at time: Timestamp) throws(NoticeStoreError) -> UnclaimedMessages {
        let oldest = time.milliseconds - RetryPlan.longestTime
        var unclaimed = UnclaimedMessages()
        let sql = "SELECT sink, count(*) AS number FROM delivery JOIN message USING (number)"
        func counts(_ condition: String) throws(NoticeStoreError) -> [String: Int] {
            let found = try read { db in
                let rows = try Row.fetchAll(
                    db,
                    sql: "\(sql) WHERE time \(condition) ? GROUP BY sink",
                    arguments: [oldest]
                )
                return rows.map { (name: $0["sink"] as String, count: $0["number"] as Int) }
            }
            let others = found.filter { !names.contains($0.name) }.map { ($0.name, $0.count) }
            return Dictionary(uniqueKeysWithValues: others)
        }
        unclaimed.waiting = try counts(">")
        let givenUp = try counts("<=")
        if !givenUp.isEmpty { try giveUp(givenUp, before: oldest, at: time) }
        unclaimed.lost = try lost(at: time).filter { !names.contains($0.sink) }
        return unclaimed
    }

    private func giveUp(_ counts: [String: Int], before oldest: Int, at time: Timestamp) throws(NoticeStoreError) {
        try write { db in
            for (sink, count) in counts {
                let reason = "given up after a day: the settings have no sink of this name"
                try Self.noteLost(count, of: sink, reason, at: time, db)
                try db.execute(
                    sql: """
                        DELETE FROM delivery WHERE sink = ? AND number IN (SELECT number FROM message WHERE time <= ?)
                        """,
                    arguments: [sink, oldest]
                )
            }
            try Self.dropDelivered(db)
        }
    }
}
