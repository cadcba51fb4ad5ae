internal import DNSSD
internal import GRDB

/// The tables of the store, and their migrations.
///
/// A released migration is never changed; later changes get migrations of their own. A store with a migration that is
/// not listed here was written by a later version.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 store", foreignKeyChecks: .immediate, merging: unreleased) { db, applied in
            if applied.isEmpty {
                try db.execute(sql: tables)
                try db.execute(sql: aliases)
            } else {
                try complete(db)
            }
        }
        migrator.registerMigration("2 vault") { try $0.execute(sql: vault) }
        migrator.registerMigration("3 cloud") { try $0.execute(sql: cloud) }
        migrator.registerMigration("4 connected") { try $0.execute(sql: connected) }
        return migrator
    }

    /// The migrations that stores have had before the first release, all of them or the first ones.
    static let unreleased: Set = [
        "1 pairings", "2 overdue", "3 bound tokens", "4 places", "5 operator's tool", "6 aliases", "7 place outside",
        "8 names of places", "9 last messages", "10 accent colours", "11 tunnels", "12 own names",
    ]

    /// Indicates whether a database has had a migration that this version does not know.
    static func isSuperseded(_ db: Database) throws -> Bool {
        let migrator = migrator
        return try !migrator.appliedIdentifiers(db).isSubset(of: unreleased.union(migrator.migrations))
    }

    /// The tables of pairings.
    ///
    /// * Identifiers of bots, which gateways choose, are bytes: SQLite compares these one by one, whereas a text ends at
    ///   its first NUL.
    /// * A path (`resource`) and the host name by which the user named it (`serverName`) belong to an endpoint, since behind
    ///   one front each may be another gateway. Where a certificate for a name is the proof, it is that name.
    /// * A purge records in `overdueSince` what it has found overdue; only a later purge deletes that.
    /// * The program with which a gateway's operator removes devices (`operatorTool`) depends on the gateway's era, which its
    ///   refusals tell.
    /// * `connectedURL` is the address outside of this network at which a session was established last.
    /// * The machine of a tailnet, or the tunnel, is the one at whose end the gateway is. Such trust is stored as one in an
    ///   address of no network besides, which a process of an earlier version that runs meanwhile allows nowhere.
    /// * `ownName` is the name that a gateway gives itself, which was paired under another.
    /// * The additional data of a token (`sealedToken`) says where it may go: ``TokenBinding``.
    /// * After the last message that was received in a session (`lastMessage`), a Clawline provider goes on.
    /// * The user, or an older configuration, gave colours (`accentColor`) to bots.
    private static let tables = """
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
            overdueSince INTEGER,
            operatorTool TEXT NOT NULL DEFAULT 'openClaw',
            connectedURL TEXT,
            tailnetNode TEXT,
            tunnelName TEXT,
            tunnelKind TEXT,
            tunnelAddress BLOB,
            ownName TEXT,
            CHECK ((binnedAt IS NULL) = (binReason IS NULL))
        ) WITHOUT ROWID;
        CREATE TABLE endpoint (
            pairing TEXT NOT NULL REFERENCES pairing ON DELETE CASCADE,
            position INTEGER NOT NULL,
            address BLOB NOT NULL,
            port INTEGER NOT NULL,
            scopeName TEXT,
            scopeIndex INTEGER,
            resource TEXT,
            serverName TEXT,
            PRIMARY KEY (pairing, position)
        ) WITHOUT ROWID;
        CREATE TABLE bot (
            pairing TEXT NOT NULL REFERENCES pairing ON DELETE CASCADE,
            position INTEGER NOT NULL,
            id BLOB NOT NULL,
            name TEXT NOT NULL,
            emoji TEXT,
            isArchived INTEGER NOT NULL,
            accentColor TEXT,
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
            sealedToken BLOB NOT NULL,
            binnedAt INTEGER,
            binReason TEXT,
            binDetail TEXT,
            overdueSince INTEGER,
            sealVersion INTEGER NOT NULL DEFAULT 1,
            lastMessage TEXT,
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

    /// The names that the user has given to gateways, paired or not.
    private static let aliases = """
        CREATE TABLE alias (
            position INTEGER PRIMARY KEY NOT NULL,
            gatewayID TEXT NOT NULL,
            fingerprint BLOB,
            leaf BLOB,
            name TEXT NOT NULL
        );
        """

    /// The key that opens the user's rows in the cloud, sealed, and the time at which the identity of this device was taken
    /// to another one (`movedAt`).
    private static let vault = """
        CREATE TABLE vault (
            one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
            sealedKey BLOB NOT NULL
        );
        ALTER TABLE device ADD COLUMN movedAt INTEGER;
        """

    /// The user's account in the cloud with its session, and what is known of each row there: see ``CloudEntry``.
    ///
    /// * The token that renews the session (`sealedToken`) is missing while nobody is signed in.
    /// * `marker` is the time of the server, in microseconds, up to which its rows have been read.
    /// * `failures` counts what failed since the last success, for the reason `trouble`.
    /// * `note` says what is to be told of a row, and `name` what it is about.
    private static let cloud = """
        CREATE TABLE cloud (
            one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
            url TEXT NOT NULL,
            publishableKey TEXT NOT NULL,
            user TEXT NOT NULL,
            email TEXT NOT NULL,
            sealsNames INTEGER NOT NULL,
            sealedToken BLOB,
            marker INTEGER,
            pulledAt INTEGER,
            failures INTEGER NOT NULL DEFAULT 0,
            trouble TEXT
        );
        CREATE TABLE cloudRow (
            bot TEXT NOT NULL,
            gateway TEXT NOT NULL,
            pairing TEXT,
            pairedAt INTEGER NOT NULL,
            isActive INTEGER NOT NULL,
            device TEXT NOT NULL,
            token BLOB,
            rest BLOB,
            isWaiting INTEGER NOT NULL,
            note TEXT,
            name TEXT,
            PRIMARY KEY (bot, gateway)
        ) WITHOUT ROWID;
        """

    /// The time at which the gateway was connected last, as the cloud has been told.
    private static let connected = "ALTER TABLE cloudRow ADD COLUMN connectedAt INTEGER"

    /// The columns that were added before the first release, in that order.
    private static let additions = [
        (table: "pairing", column: "overdueSince", type: "INTEGER"),
        ("credential", "overdueSince", "INTEGER"),
        ("credential", "sealVersion", "INTEGER NOT NULL DEFAULT 1"),
        ("endpoint", "resource", "TEXT"),
        ("pairing", "operatorTool", "TEXT NOT NULL DEFAULT 'openClaw'"),
        ("pairing", "connectedURL", "TEXT"),
        ("endpoint", "serverName", "TEXT"),
        ("credential", "lastMessage", "TEXT"),
        ("bot", "accentColor", "TEXT"),
        ("pairing", "tailnetNode", "TEXT"),
        ("pairing", "tunnelName", "TEXT"),
        ("pairing", "tunnelKind", "TEXT"),
        ("pairing", "tunnelAddress", "BLOB"),
        ("pairing", "ownName", "TEXT"),
    ]

    /// Brings a store of a version before the first release to this one, whichever it is: it is told by what it has.
    private static func complete(_ db: Database) throws {
        func has(_ column: String, _ table: String) throws -> Bool {
            try db.columns(in: table).contains { $0.name == column }
        }

        // A token that is not bound has another name, so that a process of such a version that runs meanwhile neither
        // writes one nor takes one that is bound for a forged one.
        if try has("sealed", "credential") {
            try db.execute(sql: "ALTER TABLE credential RENAME COLUMN sealed TO sealedToken")
        }
        // An endpoint had the path of its pairing. The identifier of a gateway that is known by its endpoint alone names the
        // path, too.
        if try !has("resource", "endpoint") {
            try db.execute(
                sql: """
                    UPDATE pairing SET gatewayID = gatewayID || resource
                        WHERE resource <> '/' AND (gatewayID LIKE 'endpoint:%' OR gatewayID LIKE 'claimant:%:endpoint:%')
                    """
            )
        }
        let hasNames = try has("serverName", "endpoint")
        for (table, column, type) in additions {
            guard try !has(column, table) else { continue }
            try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column) \(type)")
        }
        if !hasNames { try nameCertifiedPlaces(in: db) }
        if try !db.tableExists("alias") { try db.execute(sql: aliases) }
    }

    /// Gives the places of certified hosts the names of these. A host that is no name of a place could never be proved.
    private static func nameCertifiedPlaces(in database: Database) throws {
        let certified = "SELECT id, host FROM pairing WHERE trust = 'certified'"
        for row in try Row.fetchAll(database, sql: certified) {
            let id: String = try row.value("id")
            guard let host: String = try row.optional("host"), let name = ServerName(host) else { continue }
            try database.execute(
                sql: "UPDATE endpoint SET serverName = ? WHERE pairing = ?",
                arguments: [name.description, id]
            )
        }
    }
}
