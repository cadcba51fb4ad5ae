internal import GRDB
package import Reports

/// The sums of the history.
extension NoticeStore {
    /// The outages in the history, by the key of their gateways: how many, and since when one lasts.
    package func outages() throws(NoticeStoreError) -> [String: OutageCount] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT gateway, COUNT(*) AS number, MAX(CASE WHEN ended IS NULL THEN began END) AS since
                    FROM outage GROUP BY gateway
                    """
            )
            var counts: [String: OutageCount] = [:]
            for row in rows {
                let since = (row["since"] as Int?).map { Timestamp(milliseconds: $0) }
                counts[row["gateway"]] = OutageCount(number: row["number"], since: since)
            }
            return counts
        }
    }
}

/// The outages of one gateway in the history.
package struct OutageCount: Hashable, Sendable {
    package let number: Int

    /// The time since which it has not answered; `nil` if it does.
    package let since: Timestamp?
}
