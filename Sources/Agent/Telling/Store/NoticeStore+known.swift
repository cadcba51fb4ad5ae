internal import GRDB
package import Reports

/// The things that the user knows already: gateways that were seen before on the local network, and revocations; and the
/// gateways of which nothing is told.
extension NoticeStore {
    /// Returns the keys of the gateways that are known, the oldest first.
    package func knownGateways() throws(NoticeStoreError) -> [String] {
        try read { try String.fetchAll($0, sql: "SELECT gateway FROM known ORDER BY number") }
    }

    /// Returns the identifiers of the revocations that were told.
    package func toldRevocations() throws(NoticeStoreError) -> Set<String> {
        Set(try read { try String.fetchAll($0, sql: "SELECT id FROM revoked") })
    }

    /// Tells nothing of a gateway until a time; `nil` ends that.
    package func mute(_ key: String, until: Timestamp?) throws(NoticeStoreError) {
        try write { db in
            guard let until else {
                return try db.execute(sql: "DELETE FROM mute WHERE gateway = ?", arguments: [key])
            }
            try db.execute(
                sql: """
                    INSERT INTO mute (gateway, until) VALUES (?, ?)
                    ON CONFLICT (gateway) DO UPDATE SET until = excluded.until
                    """,
                arguments: [key, until.milliseconds]
            )
        }
    }

    /// Returns the gateways of which nothing is told now, by their keys, with the times until which that is so.
    package func mutes(at time: Timestamp) throws(NoticeStoreError) -> [String: Timestamp] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: "SELECT gateway, until FROM mute WHERE until > ?",
                arguments: [time.milliseconds]
            )
            return Dictionary(
                uniqueKeysWithValues: rows.map { ($0["gateway"] as String, Timestamp(milliseconds: $0["until"])) }
            )
        }
    }
}
