import Foundation
import GRDB
import GatewayProtocol
import Testing

@testable import Pairing

/// A store as an earlier version has left it, made by taking back what later migrations have done.
extension StoreFolder {
    /// Makes the store one of the version that sealed tokens without saying where they may go.
    ///
    /// - Parameter secrets: The tokens of all credentials.
    func revertToUnboundTokens(_ secrets: [CredentialID: Secret]) throws {
        let key = try sealingKey
        let rows = try open().database.read { db in
            try PairingParts.fetchAll(db).flatMap(\.credentials)
        }
        try DatabaseQueue(path: location.database).write { db in
            for row in rows {
                let secret = try #require(secrets[row.credential.id])
                try db.execute(
                    sql: "UPDATE credential SET sealedToken = ? WHERE id = ?",
                    arguments: [try key.seal(secret, in: row.formerPlace).blob, row.credential.id.description]
                )
            }
            try db.execute(
                sql: """
                    ALTER TABLE credential DROP COLUMN sealVersion;
                    ALTER TABLE credential RENAME COLUMN sealedToken TO sealed
                    """
            )
        }
        try revertToPathsOfPairings(["1 pairings", "2 overdue"])
    }

    /// Makes the store one of the version in which a pairing had one path, and its endpoints none.
    ///
    /// - Parameter migrations: Those that it has had.
    func revertToPathsOfPairings(
        _ migrations: [String] = ["1 pairings", "2 overdue", "3 bound tokens"]
    ) throws {
        try DatabaseQueue(path: location.database).write { db in
            try db.execute(
                sql: """
                    DROP TABLE alias;
                    ALTER TABLE endpoint DROP COLUMN resource;
                    ALTER TABLE endpoint DROP COLUMN serverName;
                    ALTER TABLE pairing DROP COLUMN operatorTool;
                    ALTER TABLE pairing DROP COLUMN connectedURL;
                    ALTER TABLE pairing DROP COLUMN tailnetNode;
                    ALTER TABLE pairing DROP COLUMN tunnelName;
                    ALTER TABLE pairing DROP COLUMN tunnelKind;
                    ALTER TABLE pairing DROP COLUMN tunnelAddress;
                    ALTER TABLE pairing DROP COLUMN ownName;
                    ALTER TABLE credential DROP COLUMN lastMessage;
                    ALTER TABLE bot DROP COLUMN accentColor
                    """
            )
        }
        try haveHad(migrations)
    }

    /// Makes the store one that has had these migrations of the time before the first release.
    func haveHad(_ migrations: some Sequence<String>) throws {
        try DatabaseQueue(path: location.database).write { db in
            // What the later ones of this version have made was not there yet.
            try db.execute(sql: "DROP TABLE vault; DROP TABLE cloud; DROP TABLE cloudRow")
            try db.execute(sql: "ALTER TABLE device DROP COLUMN movedAt")
            try db.execute(sql: "DELETE FROM grdb_migrations")
            for migration in migrations {
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [migration])
            }
        }
    }

    /// The key in the store's own file.
    var sealingKey: SealingKey {
        get throws {
            let text = try #require(FileManager.default.contents(atPath: location.keyFile))
            return try #require(SealingKey(Secret(bytes: text)))
        }
    }

    /// Changes the database as a program without the key can.
    func forge(_ sql: String) throws {
        try DatabaseQueue(path: location.database).write { db in
            try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
            try db.execute(sql: sql)
        }
    }
}
