internal import GRDB
internal import GatewayProtocol

/// The bots of pairings.
enum BotRow {
    static func fetch(_ id: PairingID, _ db: Database) throws -> [StoredBot] {
        try Row.fetchAll(
            try db.cachedStatement(
                sql: "SELECT id, name, emoji, isArchived, accentColor FROM bot WHERE pairing = ? ORDER BY position"
            ),
            arguments: [id.description]
        )
        .map { row in
            StoredBot(
                id: try botID(row, "id"),
                name: try row.value("name"),
                emoji: try row.optional("emoji"),
                isArchived: try row.value("isArchived"),
                accentColor: try row.optional("accentColor")
            )
        }
    }

    /// Replaces all bots of a pairing.
    static func replace(_ bots: [StoredBot], of id: PairingID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM bot WHERE pairing = ?", arguments: [id.description])
        for (position, bot) in bots.enumerated() {
            try db.execute(
                sql: """
                    INSERT INTO bot (pairing, position, id, name, emoji, isArchived, accentColor)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id.description, position, bot.id.bytes.blob, bot.name, bot.emoji, bot.isArchived, bot.accentColor,
                ]
            )
        }
    }

    static func botID(_ row: Row, _ column: String) throws(StoreError) -> BotID {
        guard let text = String(validating: try row.bytes(column), as: UTF8.self), let id = BotID(text) else {
            throw Row.unreadable(column)
        }
        return id
    }
}
