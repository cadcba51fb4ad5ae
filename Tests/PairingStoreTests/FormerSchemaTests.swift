import GRDB
import Testing

@testable import Pairing

/// Stores of every version before the first release are brought to the tables of a new one, and keep what they have.
@Suite struct FormerSchemaTests {
    /// The migrations of that time, word for word.
    static let migrations: [(identifier: String, sql: String)] = [
        (
            "1 pairings",
            """
            CREATE TABLE device (
                one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
                id TEXT NOT NULL,
                name TEXT NOT NULL,
                emoji TEXT,
                platform TEXT NOT NULL,
                publicKey BLOB NOT NULL,
                sealedKey BLOB NOT NULL
            );
            CREATE TABLE pairing (
                id TEXT PRIMARY KEY NOT NULL,
                gatewayID TEXT NOT NULL,
                fingerprint BLOB,
                name TEXT NOT NULL,
                dialect TEXT NOT NULL,
                trust TEXT NOT NULL CHECK (trust IN ('pinned', 'certified', 'sameAddress', 'lan')),
                leaf BLOB,
                host TEXT,
                networkPrefix BLOB,
                networkLength INTEGER,
                router BLOB,
                gatewayHardware BLOB,
                resource TEXT NOT NULL,
                remoteURL TEXT,
                connectsAutomatically INTEGER NOT NULL,
                pairedAt INTEGER NOT NULL,
                lastConnected INTEGER,
                binnedAt INTEGER,
                binReason TEXT,
                binDetail TEXT,
                CHECK ((binnedAt IS NULL) = (binReason IS NULL))
            ) WITHOUT ROWID;
            CREATE TABLE endpoint (
                pairing TEXT NOT NULL REFERENCES pairing ON DELETE CASCADE,
                position INTEGER NOT NULL,
                address BLOB NOT NULL,
                port INTEGER NOT NULL,
                scopeName TEXT,
                scopeIndex INTEGER,
                PRIMARY KEY (pairing, position)
            ) WITHOUT ROWID;
            CREATE TABLE bot (
                pairing TEXT NOT NULL REFERENCES pairing ON DELETE CASCADE,
                position INTEGER NOT NULL,
                id BLOB NOT NULL,
                name TEXT NOT NULL,
                emoji TEXT,
                isArchived INTEGER NOT NULL,
                PRIMARY KEY (pairing, position),
                UNIQUE (pairing, id)
            ) WITHOUT ROWID;
            CREATE TABLE credential (
                id TEXT PRIMARY KEY NOT NULL,
                pairing TEXT NOT NULL REFERENCES pairing ON DELETE CASCADE,
                position INTEGER NOT NULL,
                generation INTEGER NOT NULL,
                createdAt INTEGER NOT NULL,
                deviceID TEXT NOT NULL,
                sealed BLOB NOT NULL,
                binnedAt INTEGER,
                binReason TEXT,
                binDetail TEXT,
                CHECK ((binnedAt IS NULL) = (binReason IS NULL))
            ) WITHOUT ROWID;
            CREATE INDEX credentialOfPairing ON credential (pairing, position);
            CREATE TABLE credentialBot (
                credential TEXT NOT NULL REFERENCES credential ON DELETE CASCADE,
                position INTEGER NOT NULL,
                bot BLOB NOT NULL,
                PRIMARY KEY (credential, position)
            ) WITHOUT ROWID;
            CREATE TABLE credentialScope (
                credential TEXT NOT NULL REFERENCES credential ON DELETE CASCADE,
                position INTEGER NOT NULL,
                scope TEXT NOT NULL,
                PRIMARY KEY (credential, position)
            ) WITHOUT ROWID;
            """
        ),
        (
            "2 overdue",
            """
            ALTER TABLE pairing ADD COLUMN overdueSince INTEGER;
            ALTER TABLE credential ADD COLUMN overdueSince INTEGER;
            """
        ),
        (
            "3 bound tokens",
            """
            ALTER TABLE credential RENAME COLUMN sealed TO sealedToken;
            ALTER TABLE credential ADD COLUMN sealVersion INTEGER NOT NULL DEFAULT 1;
            """
        ),
        (
            "4 places",
            """
            ALTER TABLE endpoint ADD COLUMN resource TEXT;
            UPDATE pairing SET gatewayID = gatewayID || resource
                WHERE resource <> '/' AND (gatewayID LIKE 'endpoint:%' OR gatewayID LIKE 'claimant:%:endpoint:%');
            """
        ),
        (
            "5 operator's tool",
            """
            ALTER TABLE pairing ADD COLUMN operatorTool TEXT NOT NULL DEFAULT 'openClaw';
            """
        ),
        (
            "6 aliases",
            """
            CREATE TABLE alias (
                position INTEGER PRIMARY KEY NOT NULL,
                gatewayID TEXT NOT NULL,
                fingerprint BLOB,
                leaf BLOB,
                name TEXT NOT NULL
            );
            """
        ),
        (
            "7 place outside",
            """
            ALTER TABLE pairing ADD COLUMN connectedURL TEXT;
            """
        ),
        (
            "8 names of places",
            """
            ALTER TABLE endpoint ADD COLUMN serverName TEXT;
            """
        ),
        (
            "9 last messages",
            """
            ALTER TABLE credential ADD COLUMN lastMessage TEXT;
            """
        ),
        (
            "10 accent colours",
            """
            ALTER TABLE bot ADD COLUMN accentColor TEXT;
            """
        ),
        (
            "11 tunnels",
            """
            ALTER TABLE pairing ADD COLUMN tailnetNode TEXT;
            ALTER TABLE pairing ADD COLUMN tunnelName TEXT;
            ALTER TABLE pairing ADD COLUMN tunnelKind TEXT;
            ALTER TABLE pairing ADD COLUMN tunnelAddress BLOB;
            """
        ),
        (
            "12 own names",
            """
            ALTER TABLE pairing ADD COLUMN ownName TEXT;
            """
        ),
    ]

    /// Makes the tables of a store that has had the first migrations, with a pairing at an endpoint.
    private static func former(_ count: Int) throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            for (position, migration) in migrations.prefix(count).enumerated() {
                try db.execute(sql: migration.sql)
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [migration.identifier])
                guard position == 0 else { continue }
                try db.execute(
                    sql: """
                        INSERT INTO pairing (
                            id, gatewayID, name, dialect, trust, host, resource, connectsAutomatically, pairedAt
                        ) VALUES ('p', 'endpoint:h', 'Home', 'openClaw', 'certified', 'Attic.Example.', '/attic/', 1, 2);
                        INSERT INTO endpoint (pairing, position, address, port) VALUES ('p', 0, x'0A000001', 443);
                        INSERT INTO bot (pairing, position, id, name, isArchived) VALUES ('p', 0, x'01', 'Jarvis', 0);
                        INSERT INTO credential (id, pairing, position, generation, createdAt, deviceID, sealed)
                            VALUES ('c', 'p', 0, 1, 2, 'd', x'0102')
                        """
                )
            }
        }
        return queue
    }

    /// The tables with their columns, in order.
    private static func layout(_ db: Database) throws -> [String: [String]] {
        let tables = try String.fetchAll(
            db,
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'grdb_migrations'"
        )
        return Dictionary(
            uniqueKeysWithValues: try tables.map { table in
                let columns = try db.columns(in: table).map {
                    "\($0.name) \($0.type) \($0.isNotNull) \($0.defaultValueSQL ?? "")"
                }
                return (table, columns)
            }
        )
    }

    @Test(arguments: 1...12) func eachIsBroughtToTheTablesOfANewStore(count: Int) throws {
        let (new, former) = (try DatabaseQueue(), try Self.former(count))
        try Schema.migrator.migrate(new)
        #expect(try former.read { try !Schema.isSuperseded($0) })
        try Schema.migrator.migrate(former)
        #expect(try former.read(Self.layout) == new.read(Self.layout))
        try former.read { db in
            #expect(try Schema.migrator.appliedIdentifiers(db) == Set(Schema.migrator.migrations))
            let token = try String.fetchOne(db, sql: "SELECT hex(sealedToken) || sealVersion FROM credential")
            #expect(token == "01021")
            // Once, by the former migration or by this one. The names of the eighth were given by code, which is not
            // repeated here: this one must leave such endpoints as they are.
            let row = try #require(try Row.fetchOne(db, sql: "SELECT gatewayID, operatorTool FROM pairing"))
            #expect(row["gatewayID"] == "endpoint:h/attic/")
            #expect(row["operatorTool"] == "openClaw")
            let name = try String.fetchOne(db, sql: "SELECT serverName FROM endpoint")
            #expect(name == (count < 8 ? "attic.example" : nil))
        }
    }

    /// A store of the last of these versions, with its pairings and tokens, is opened; and opened once more.
    @Test func aStoreOfTheLastOfThemIsOpened() async throws {
        try await StoreFolder.with { folder in
            let pairing = try StoredPairing.sample()
            try folder.open().insert(pairing, secrets: pairing.sampleSecrets)
            #expect(Set(Self.migrations.map(\.identifier)) == Schema.unreleased)
            try folder.haveHad(Schema.unreleased)
            for _ in 0..<2 {
                let store = try folder.open()
                #expect(try store.pairings() == [pairing])
                for (id, secret) in pairing.sampleSecrets {
                    #expect(try store.secret(of: id, in: pairing.id) == secret)
                }
            }
        }
    }
}
