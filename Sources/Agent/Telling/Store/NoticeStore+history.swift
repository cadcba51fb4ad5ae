internal import GRDB
package import Reports

/// The history of gateways, as it is read.
extension NoticeStore {
    /// The history since a time.
    package func history(since start: Timestamp, now: Timestamp) throws(NoticeStoreError) -> GatewayHistory {
        try read { db in
            let alive = try Int.fetchOne(db, sql: "SELECT alive FROM agent")
            let watched = try Row.fetchAll(db, sql: "SELECT * FROM watched ORDER BY name, gateway")
            func rows(_ condition: String) throws -> [Row] {
                try Row.fetchAll(db, sql: "SELECT * FROM \(condition), id", arguments: [start.milliseconds])
            }
            let outages = try rows("outage WHERE ended IS NULL OR ended >= ? ORDER BY began")
            let unready = try rows("unready WHERE ended IS NULL OR ended >= ? ORDER BY began")
            let transitions = try rows("transition WHERE time >= ? ORDER BY time")
            let unknown = try rows("unknown WHERE ended >= ? ORDER BY began")
            return GatewayHistory(
                since: start,
                until: now,
                alive: alive.map { Timestamp(milliseconds: $0) },
                // Of one that has never answered there is no history.
                gateways: watched.filter { RememberedGateway($0)?.memory.hasAnswered == true }
                    .compactMap(GatewayHistory.Gateway.init),
                outages: outages.compactMap(GatewayHistory.Outage.init),
                notReady: unready.compactMap(GatewayHistory.Outage.init),
                transitions: transitions.compactMap(GatewayHistory.Transition.init),
                unknown: unknown.compactMap(GatewayHistory.Unknown.init)
            )
        }
    }
}

extension GatewayHistory.Gateway {
    init?(_ row: Row) {
        guard let key = String.fromDatabaseValue(row["gateway"]), let name = String.fromDatabaseValue(row["name"]),
            let since = Int.fromDatabaseValue(row["since"])
        else { return nil }
        self.init(key: key, name: name, since: Timestamp(milliseconds: since))
    }
}

extension GatewayHistory.Outage {
    init?(_ row: Row) {
        guard let key = String.fromDatabaseValue(row["gateway"]), let name = String.fromDatabaseValue(row["name"]),
            let began = Int.fromDatabaseValue(row["began"])
        else { return nil }
        self.init(
            key: key,
            name: name,
            began: Timestamp(milliseconds: began),
            ended: Int.fromDatabaseValue(row["ended"]).map { Timestamp(milliseconds: $0) },
            reason: String.fromDatabaseValue(row["reason"]),
            // Times in which one was not ready have none.
            ways: (row.hasColumn("ways") ? String.fromDatabaseValue(row["ways"]) : nil)?.split(separator: " ")
                .compactMap { Way(rawValue: String($0)) } ?? []
        )
    }
}

extension GatewayHistory.Transition {
    init?(_ row: Row) {
        guard let key = String.fromDatabaseValue(row["gateway"]), let name = String.fromDatabaseValue(row["name"]),
            let time = Int.fromDatabaseValue(row["time"]),
            let kind = String.fromDatabaseValue(row["kind"]).flatMap(Notice.Kind.init)
        else { return nil }
        self.init(
            key: key,
            name: name,
            time: Timestamp(milliseconds: time),
            kind: kind,
            way: String.fromDatabaseValue(row["way"]).flatMap(Way.init)
        )
    }
}

extension GatewayHistory.Unknown {
    init?(_ row: Row) {
        guard let began = Int.fromDatabaseValue(row["began"]), let ended = Int.fromDatabaseValue(row["ended"]),
            let reason = String.fromDatabaseValue(row["reason"])
        else { return nil }
        self.init(
            key: String.fromDatabaseValue(row["gateway"]),
            began: Timestamp(milliseconds: began),
            ended: Timestamp(milliseconds: ended),
            reason: reason
        )
    }
}
