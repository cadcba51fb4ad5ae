internal import GRDB
internal import GatewayProtocol

/// A row of the outbox, as it is stored.
package struct CloudEntryRow: Hashable, Sendable {
    /// A message about a row of the cloud that was not taken.
    package enum Note: String, Hashable, Sendable, CaseIterable {
        /// The pairing is another device's, and its token bound to that.
        case known
        /// It is older than what was there before.
        case rolledBack
        /// It was sealed with another vault key.
        case foreignKey
        /// It is nothing that was sealed for this row.
        case broken
    }

    /// `bot_id` of the cloud's row.
    package let bot: String

    /// `gateway_fingerprint` of the cloud's row.
    package let gateway: String

    /// The knowledge of it.
    package var entry: CloudEntry

    /// The pairing here.
    package var pairing: PairingID?

    /// The message that is to be told; `nil` for none.
    package var note: Note?

    /// The subject, for people. Untrusted.
    package var name: String?

    /// The time at which the gateway was connected last, as the cloud has been told, in milliseconds since 1970; `nil` if it
    /// has not been.
    package var connectedAt: Int?

    init(_ key: CloudRow.Key) { (bot, gateway, entry) = (key.bot, key.gateway, CloudEntry()) }

    static func fetchAll(_ db: Database) throws -> [CloudEntryRow] {
        try Row.fetchAll(try db.cachedStatement(sql: "SELECT * FROM cloudRow ORDER BY gateway, bot")).map { row in
            var result = CloudEntryRow(
                CloudRow.Key(user: "", bot: try row.value("bot"), gateway: try row.value("gateway"))
            )
            let version = CloudVersion(
                pairedAt: try row.value("pairedAt"),
                isActive: try row.value("isActive"),
                device: try row.value("device")
            )
            let digest = try row.optionalBytes("rest").map { rest throws(StoreError) in
                CloudDigest(token: try row.bytes("token"), rest: rest)
            }
            // A row that is only told of has no version: see `write`.
            result.entry = CloudEntry(
                version: version.pairedAt == Self.none ? nil : version,
                digest: digest,
                isWaiting: try row.value("isWaiting")
            )
            result.pairing = (try row.optional("pairing") as String?).flatMap { PairingID($0) }
            result.note = (try row.optional("note") as String?).flatMap { Note(rawValue: $0) }
            result.name = try row.optional("name")
            result.connectedAt = try row.optional("connectedAt")
            return result
        }
    }

    private static let none = Int.min

    func write(_ db: Database) throws {
        let version = entry.version ?? CloudVersion(pairedAt: Self.none, device: "")
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO cloudRow (
                    bot, gateway, pairing, pairedAt, isActive, device, token, rest, isWaiting, note, name, connectedAt
                ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                bot, gateway, pairing?.description, version.pairedAt, version.isActive, version.device,
                entry.digest?.token.blob, entry.digest?.rest.blob, entry.isWaiting, note?.rawValue,
                name?.stored(StoreLimits.nameBytes), connectedAt,
            ]
        )
    }

    /// Returns the row of the cloud for a user.
    func key(of user: String) -> CloudRow.Key { CloudRow.Key(user: user, bot: bot, gateway: gateway) }
}
