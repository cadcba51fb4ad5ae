internal import GRDB
internal import GatewayProtocol

/// The names that the user has given to gateways.
enum AliasRow {
    static func fetchAll(_ db: Database) throws -> [GatewayAlias] {
        try Row.fetchAll(
            try db.cachedStatement(sql: "SELECT gatewayID, fingerprint, leaf, name FROM alias ORDER BY position")
        )
        .compactMap { row in
            // One that cannot be read hides none of the others.
            try? GatewayAlias(
                gatewayID: row.value("gatewayID"),
                fingerprint: row.optionalBytes("fingerprint").flatMap { GatewayFingerprint(bytes: $0) },
                leaf: row.optionalBytes("leaf").flatMap { LeafFingerprint(bytes: $0) },
                name: row.value("name")
            )
        }
    }

    /// Replaces all aliases.
    static func replace(_ aliases: [GatewayAlias], _ db: Database) throws {
        try db.execute(sql: "DELETE FROM alias")
        for (position, alias) in aliases.enumerated() {
            try db.execute(
                sql: "INSERT INTO alias (position, gatewayID, fingerprint, leaf, name) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    position, alias.gatewayID, alias.fingerprint?.bytes.blob, alias.leaf?.bytes.blob, alias.name,
                ]
            )
        }
    }
}
