internal import DNSSD
internal import GRDB

/// The tables of the store, and their migrations.
///
/// A released migration is never changed; later changes get migrations of their own. A store with a migration that is
/// not listed here was written by a later version.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 pairings", foreignKeyChecks: .immediate) { try $0.execute(sql: pairings) }
        migrator.registerMigration("2 overdue", foreignKeyChecks: .immediate) { try $0.execute(sql: overdue) }
        migrator.registerMigration("3 bound tokens", foreignKeyChecks: .immediate) { try $0.execute(sql: boundTokens) }
        migrator.registerMigration("4 places", foreignKeyChecks: .immediate) { try $0.execute(sql: places) }
        migrator.registerMigration("5 operator's tool", foreignKeyChecks: .immediate) {
            try $0.execute(sql: operatorTool)
        }
        migrator.registerMigration("6 aliases", foreignKeyChecks: .immediate) { try $0.execute(sql: aliases) }
        migrator.registerMigration("7 place outside", foreignKeyChecks: .immediate) {
            try $0.execute(sql: placeOutside)
        }
        migrator.registerMigration("8 names of places", foreignKeyChecks: .immediate) {
            try $0.execute(sql: placeNames)
            try nameCertifiedPlaces(in: $0)
        }
        migrator.registerMigration("9 last messages", foreignKeyChecks: .immediate) {
            try $0.execute(sql: lastMessages)
        }
        migrator.registerMigration("10 accent colours", foreignKeyChecks: .immediate) {
            try $0.execute(sql: accentColours)
        }
        migrator.registerMigration("11 tunnels", foreignKeyChecks: .immediate) { try $0.execute(sql: tunnels) }
        migrator.registerMigration("12 own names", foreignKeyChecks: .immediate) { try $0.execute(sql: ownNames) }
        return migrator
    }

    /// Identifiers of bots, which gateways choose, are bytes: SQLite compares these one by one, whereas a text ends at
    /// its first NUL.
    private static let pairings = """
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

    /// A purge records here what it has found overdue; only a later purge deletes that.
    private static let overdue = """
        ALTER TABLE pairing ADD COLUMN overdueSince INTEGER;
        ALTER TABLE credential ADD COLUMN overdueSince INTEGER;
        """

    /// A path belongs to an endpoint, since behind one front each may be another gateway. An endpoint of an earlier version
    /// has that of its pairing. The identifier of a gateway that is known by its endpoint alone names the path, too.
    private static let places = """
        ALTER TABLE endpoint ADD COLUMN resource TEXT;
        UPDATE pairing SET gatewayID = gatewayID || resource
            WHERE resource <> '/' AND (gatewayID LIKE 'endpoint:%' OR gatewayID LIKE 'claimant:%:endpoint:%');
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

    /// The additional data of a token says where it may go: ``TokenBinding``. The column has another name, so that a
    /// process of an earlier version that runs meanwhile neither writes a token that is not bound nor takes one that is
    /// for a forged one.
    private static let boundTokens = """
        ALTER TABLE credential RENAME COLUMN sealed TO sealedToken;
        ALTER TABLE credential ADD COLUMN sealVersion INTEGER NOT NULL DEFAULT 1;
        """

    /// The address outside of this network at which a session was established last.
    private static let placeOutside = "ALTER TABLE pairing ADD COLUMN connectedURL TEXT;"

    /// The host name by which the user named an endpoint, since behind one front each may be another gateway. Where a
    /// certificate for a name is the proof, it is that name.
    private static let placeNames = """
        ALTER TABLE endpoint ADD COLUMN serverName TEXT;
        """

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

    /// The last message that was received in a session: a Clawline provider goes on after it.
    private static let lastMessages = "ALTER TABLE credential ADD COLUMN lastMessage TEXT;"

    /// The colours that an older configuration gave to bots.
    private static let accentColours = "ALTER TABLE bot ADD COLUMN accentColor TEXT;"

    /// The machine of a tailnet, or the tunnel, at whose end the gateway is. Such trust is stored as one in an address of no
    /// network besides, which a process of an earlier version that runs meanwhile allows nowhere.
    private static let tunnels = """
        ALTER TABLE pairing ADD COLUMN tailnetNode TEXT;
        ALTER TABLE pairing ADD COLUMN tunnelName TEXT;
        ALTER TABLE pairing ADD COLUMN tunnelKind TEXT;
        ALTER TABLE pairing ADD COLUMN tunnelAddress BLOB;
        """

    /// The names that gateways give themselves, which were paired under others.
    private static let ownNames = "ALTER TABLE pairing ADD COLUMN ownName TEXT;"

    /// The program with which a gateway's operator removes devices depends on the gateway's era, which its refusals tell.
    private static let operatorTool = """
        ALTER TABLE pairing ADD COLUMN operatorTool TEXT NOT NULL DEFAULT 'openClaw';
        """
}
