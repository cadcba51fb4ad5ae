internal import GRDB
internal import GatewayProtocol
package import Reports

/// The memory of an agent about gateways: the store is told when the agent begins, and takes in what follows from
/// facts.
extension NoticeStore {
    /// Takes in that an agent begins to look: of the time since the last one ran nothing is known.
    ///
    /// - Returns: What was remembered of gateways, by their keys.
    @discardableResult
    package func begin(at time: Timestamp) throws(NoticeStoreError) -> [RememberedGateway] {
        try write { db in
            if let alive = try Int.fetchOne(db, sql: "SELECT alive FROM agent"), alive < time.milliseconds {
                try Self.noteNoAgent(from: alive, to: time.milliseconds, db)
            }
            try Self.note(alive: time, db)
            try Self.purge(db, before: time.milliseconds - Self.retention)
            return try Self.remembered(db)
        }
    }

    /// Returns what is remembered of gateways.
    package func remembered() throws(NoticeStoreError) -> [RememberedGateway] { try read { try Self.remembered($0) } }

    /// Returns the messages that count against the limits of all.
    package func limits() throws(NoticeStoreError) -> NoticeLimits {
        let text = try read { try String.fetchOne($0, sql: "SELECT messages FROM limits") }
        return text.flatMap { try? JSONValue(parsing: Array($0.utf8)) }.map(NoticeLimits.init) ?? NoticeLimits()
    }

    private static func remembered(_ db: Database) throws -> [RememberedGateway] {
        try Row.fetchAll(db, sql: "SELECT gateway, name, memory FROM watched ORDER BY gateway")
            .compactMap(RememberedGateway.init)
    }

    /// Records that no agent ran in a time. An agent that fails again and again makes one such time of all, if it never runs
    /// for a minute.
    private static func noteNoAgent(from began: Int, to ended: Int, _ db: Database) throws {
        let reason = "no agent ran"
        try db.execute(
            sql: """
                UPDATE unknown SET ended = ? WHERE id = (
                    SELECT id FROM unknown WHERE gateway IS NULL AND reason = ? AND ended BETWEEN ? AND ?
                    ORDER BY ended DESC LIMIT 1
                )
                """,
            arguments: [ended, reason, began - shortestRun, ended]
        )
        guard db.changesCount == 0 else { return }
        try db.execute(
            sql: "INSERT INTO unknown (gateway, began, ended, reason) VALUES (NULL, ?, ?, ?)",
            arguments: [began, ended, reason]
        )
    }

    /// Writes what has followed from facts, all of it or nothing.
    ///
    /// - Parameters:
    ///   - sinks: The names of the sinks by which messages go out.
    ///   - makeID: Makes the number of a message.
    package func take(
        _ actions: [NoticeAction],
        for sinks: [String],
        at time: Timestamp,
        makeID: () -> String = WaitingMessage.makeID
    ) throws(NoticeStoreError) {
        try write { db in
            let last = try Int.fetchOne(db, sql: "SELECT alive FROM agent") ?? 0
            for case .clockSet(let from, let to) in actions {
                try Self.noteClock(from: from.milliseconds, to: to.milliseconds, db)
            }
            try Self.note(alive: time, db)
            // An agent runs for years. A clock that has jumped ahead must not end what is kept.
            let isJump = last > 0 && time.milliseconds - last > Self.longestPause
            if !isJump, last / Self.purgeInterval != time.milliseconds / Self.purgeInterval {
                try Self.purge(db, before: time.milliseconds - Self.retention)
            }
            for action in actions { try Self.take(action, sinks, at: time, makeID, db) }
        }
    }

    private static func take(
        _ action: NoticeAction,
        _ sinks: [String],
        at time: Timestamp,
        _ makeID: () -> String,
        _ db: Database
    ) throws {
        switch action {
        case .tell(let notice):
            try enqueue(notice, id: makeID(), for: sinks, db)
        case .outageBegan(let subject, let began, let reason, let ways):
            let text = ways.isEmpty ? nil : ways.map(\.rawValue).joined(separator: " ")
            try db.execute(
                sql: "INSERT INTO outage (gateway, name, began, reason, ways) VALUES (?, ?, ?, ?, ?)",
                arguments: [subject.key, subject.shownName, began.milliseconds, reason, text]
            )
        case .happened(let subject, let kind, let way, let time):
            // An agent that starts again can give it again.
            try db.execute(
                sql: """
                    INSERT INTO transition (gateway, name, time, kind, way) SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (
                        SELECT 1 FROM transition WHERE gateway = ? AND time = ? AND kind = ? AND way IS ?
                    )
                    """,
                arguments: [
                    subject.key, subject.shownName, time.milliseconds, kind.rawValue, way?.rawValue, subject.key,
                    time.milliseconds, kind.rawValue, way?.rawValue,
                ]
            )
        case .outageEnded(let key, let ended):
            try db.execute(
                sql: "UPDATE outage SET ended = max(began, ?) WHERE gateway = ? AND ended IS NULL",
                arguments: [ended.milliseconds, key]
            )
        case .unreadyBegan(let subject, let began, let reason):
            try db.execute(
                sql: "INSERT INTO unready (gateway, name, began, reason) VALUES (?, ?, ?, ?)",
                arguments: [subject.key, subject.shownName, began.milliseconds, reason]
            )
        case .unreadyEnded(let key, let ended):
            try db.execute(
                sql: "UPDATE unready SET ended = max(began, ?) WHERE gateway = ? AND ended IS NULL",
                arguments: [ended.milliseconds, key]
            )
        // Before that time counts as one at which an agent ran.
        case .clockSet: break
        case .unknown(let keys, let from, let to, let reason):
            for key in keys {
                // A time that lasts is reported again and again, with a later end.
                try db.execute(
                    sql: "UPDATE unknown SET ended = max(ended, ?) WHERE gateway = ? AND began = ? AND reason = ?",
                    arguments: [to.milliseconds, key, from.milliseconds, reason]
                )
                guard db.changesCount == 0 else { continue }
                try db.execute(
                    sql: "INSERT INTO unknown (gateway, began, ended, reason) VALUES (?, ?, ?, ?)",
                    arguments: [key, from.milliseconds, to.milliseconds, reason]
                )
            }
        case .remember(let subject, let memory):
            let row = try Row.fetchOne(
                db,
                sql: "SELECT gateway, name, memory FROM watched WHERE gateway = ?",
                arguments: [subject.key]
            )
            // It is watched since its first answer: before that, it was neither up nor down.
            let isFirst = row.flatMap(RememberedGateway.init)?.memory.hasAnswered != true && memory.hasAnswered
            try db.execute(
                sql: """
                    INSERT INTO watched (gateway, name, since, memory) VALUES (?, ?, ?, ?)
                    ON CONFLICT (gateway) DO UPDATE SET name = excluded.name, memory = excluded.memory,
                    since = CASE WHEN ? THEN excluded.since ELSE since END
                    """,
                arguments: [subject.key, subject.shownName, time.milliseconds, memory.json.text, isFirst]
            )
        case .rememberLimits(let limits):
            try db.execute(
                sql: """
                    INSERT INTO limits (one, messages) VALUES (1, ?)
                    ON CONFLICT (one) DO UPDATE SET messages = excluded.messages
                    """,
                arguments: [limits.json.text]
            )
        case .learn(let keys):
            for key in keys {
                try db.execute(sql: "INSERT OR IGNORE INTO known (gateway) VALUES (?)", arguments: [key])
            }
            try db.execute(
                sql: "DELETE FROM known WHERE number <= (SELECT max(number) FROM known) - ?",
                arguments: [NewGateways.most]
            )
        case .toldRevoked(let ids):
            for id in ids {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO revoked (id, told) VALUES (?, ?)",
                    arguments: [id, time.milliseconds]
                )
            }
        case .forget(let key):
            try db.execute(sql: "DELETE FROM watched WHERE gateway = ?", arguments: [key])
        }
    }

    private static func note(alive time: Timestamp, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO agent (one, alive, latest) VALUES (1, ?, ?) ON CONFLICT (one) DO UPDATE SET
                alive = excluded.alive, latest = max(coalesce(latest, 0), excluded.latest)
                """,
            arguments: [time.milliseconds, time.milliseconds]
        )
    }

    /// Records that the wall clock was set. Nobody has seen the time that it has passed over, but for what an agent saw of
    /// it earlier; and nothing has begun later than now.
    private static func noteClock(from: Int, to: Int, _ db: Database) throws {
        if to > from {
            let latest = try Int.fetchOne(db, sql: "SELECT latest FROM agent") ?? 0
            let began = max(from, latest)
            guard began < to else { return }
            return try db.execute(
                sql: "INSERT INTO unknown (gateway, began, ended, reason) VALUES (NULL, ?, ?, ?)",
                arguments: [began, to, "the clock of this host was set"]
            )
        }
        try db.execute(sql: "UPDATE agent SET latest = ?", arguments: [to])
        try db.execute(sql: "UPDATE watched SET since = ? WHERE since > ?", arguments: [to, to])
        for table in ["outage", "unready", "unknown"] {
            try db.execute(
                sql: "UPDATE \(table) SET began = min(began, ?), ended = min(ended, ?) WHERE began > ? OR ended > ?",
                arguments: [to, to, to, to]
            )
        }
    }

    private static func purge(_ db: Database, before limit: Int) throws {
        // One that lasts is part of what is so now, however long ago it began; but it lasts only while it is watched.
        let isOver = "(ended IS NOT NULL OR gateway NOT IN (SELECT gateway FROM watched))"
        for table in ["outage", "unready"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE coalesce(ended, began) < ? AND \(isOver)",
                arguments: [limit]
            )
            try db.execute(
                sql: "DELETE FROM \(table) WHERE id <= (SELECT max(id) FROM \(table)) - ? AND \(isOver)",
                arguments: [mostOutages]
            )
        }
        try db.execute(sql: "DELETE FROM transition WHERE time < ?", arguments: [limit])
        try db.execute(
            sql: "DELETE FROM transition WHERE id <= (SELECT max(id) FROM transition) - ?",
            arguments: [mostOutages]
        )
        try db.execute(sql: "DELETE FROM revoked WHERE told < ?", arguments: [limit])
        try db.execute(sql: "DELETE FROM unknown WHERE ended < ?", arguments: [limit])
        try db.execute(
            sql: "DELETE FROM unknown WHERE id <= (SELECT max(id) FROM unknown) - ?",
            arguments: [mostOutages]
        )
    }
}

extension JSONValue {
    /// The value as one line.
    fileprivate var text: String { String(decoding: encoded, as: UTF8.self) }
}

extension RememberedGateway {
    init?(_ row: Row) {
        guard let key = String.fromDatabaseValue(row["gateway"]), let name = String.fromDatabaseValue(row["name"]),
            let text = String.fromDatabaseValue(row["memory"]),
            let memory = (try? JSONValue(parsing: Array(text.utf8))).flatMap(GatewayMemory.init)
        else { return nil }
        self.init(Notice.Subject(key: key, name: name), memory)
    }
}
