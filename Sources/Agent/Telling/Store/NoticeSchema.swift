internal import GRDB

/// The tables of the history and of the messages that wait, and their migrations.
///
/// A released migration is never changed; later changes get migrations of their own.
enum NoticeSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 history") { try $0.execute(sql: history) }
        migrator.registerMigration("2 unknown") { try $0.execute(sql: unknownOfGateway) }
        migrator.registerMigration("3 known") { try $0.execute(sql: known) }
        migrator.registerMigration("4 unready") { try $0.execute(sql: unready) }
        migrator.registerMigration("5 revoked") { try $0.execute(sql: revoked) }
        migrator.registerMigration("6 transitions") { try $0.execute(sql: transitions) }
        migrator.registerMigration("7 limits") { try $0.execute(sql: limits) }
        migrator.registerMigration("8 lost") { try $0.execute(sql: lost) }
        migrator.registerMigration("9 clock") { try $0.execute(sql: clock) }
        return migrator
    }

    /// Times are milliseconds since 1970. An outage that lasts has no end. `agent` has the time at which an agent was last
    /// known to run.
    private static let history = """
        CREATE TABLE outage (
            id INTEGER PRIMARY KEY NOT NULL,
            gateway TEXT NOT NULL,
            name TEXT NOT NULL,
            began INTEGER NOT NULL,
            ended INTEGER,
            reason TEXT
        );
        CREATE INDEX outageOfGateway ON outage (gateway, began);
        CREATE TABLE unknown (
            id INTEGER PRIMARY KEY NOT NULL,
            gateway TEXT,
            began INTEGER NOT NULL,
            ended INTEGER NOT NULL,
            reason TEXT NOT NULL
        );
        CREATE TABLE watched (
            gateway TEXT PRIMARY KEY NOT NULL,
            name TEXT NOT NULL,
            since INTEGER NOT NULL,
            memory TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE agent (
            one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
            alive INTEGER NOT NULL
        );
        CREATE TABLE mute (
            gateway TEXT PRIMARY KEY NOT NULL,
            until INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE message (
            number INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            id TEXT NOT NULL,
            time INTEGER NOT NULL,
            notice TEXT NOT NULL
        );
        CREATE TABLE delivery (
            sink TEXT NOT NULL,
            number INTEGER NOT NULL REFERENCES message ON DELETE CASCADE,
            tries INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (sink, number)
        ) WITHOUT ROWID;
        """

    /// The gateways that were on the local network, paired or not.
    private static let known = """
        CREATE TABLE known (
            number INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
            gateway TEXT NOT NULL UNIQUE
        );
        """

    /// The times in which a gateway that answers was not ready.
    private static let unready = """
        CREATE TABLE unready (
            id INTEGER PRIMARY KEY NOT NULL,
            gateway TEXT NOT NULL,
            name TEXT NOT NULL,
            began INTEGER NOT NULL,
            ended INTEGER,
            reason TEXT
        );
        CREATE INDEX unreadyOfGateway ON unready (gateway, began);
        """

    /// The revocations that were told, by the identifiers that the store of pairings gives them.
    private static let revoked = """
        CREATE TABLE revoked (
            id TEXT PRIMARY KEY NOT NULL,
            told INTEGER NOT NULL
        ) WITHOUT ROWID;
        """

    /// The ways of an outage, with spaces between them; and what else has happened to gateways.
    private static let transitions = """
        ALTER TABLE outage ADD COLUMN ways TEXT;
        CREATE TABLE transition (
            id INTEGER PRIMARY KEY NOT NULL,
            gateway TEXT NOT NULL,
            name TEXT NOT NULL,
            time INTEGER NOT NULL,
            kind TEXT NOT NULL,
            way TEXT
        );
        CREATE INDEX transitionOfGateway ON transition (gateway, time);
        """

    /// The messages that count against the limits of all, as JSON.
    private static let limits = """
        CREATE TABLE limits (
            one INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
            messages TEXT NOT NULL
        );
        """

    /// The messages of each sink that were never delivered: how many, and when and why the last one was lost.
    private static let lost = """
        CREATE TABLE lost (
            sink TEXT PRIMARY KEY NOT NULL,
            messages INTEGER NOT NULL,
            time INTEGER NOT NULL,
            reason TEXT NOT NULL
        ) WITHOUT ROWID;
        """

    /// The latest time at which an agent was known to run: a clock can be behind, such as that of a host without a battery.
    private static let clock = "ALTER TABLE agent ADD COLUMN latest INTEGER; UPDATE agent SET latest = alive"

    /// A time that lasts is written again and again.
    private static let unknownOfGateway = "CREATE INDEX unknownOfGateway ON unknown (gateway, began);"
}
