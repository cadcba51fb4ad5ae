package import GatewayProtocol

/// A row of the table `bot_pairings` (`docs/cloud.sql`): one bot of one paired gateway of one user. A value.
///
/// What the sync does with it:
///
/// * Away: a ``CloudPart`` makes the row of one bot. It is inserted if the cloud has none with its ``Key-swift.struct``, and
///   replaces that of the cloud where ``isNewer(than:)``. ``json`` is what is sent.
/// * Back: ``init(_:)`` reads what the server answers, and ``opened(with:)`` says what it is. Parts of one pairing have its
///   identifier, and become one in the store.
/// * A deletion is a row that ``isActive`` says is none, with an empty ``sealed``. It is not sealed: a server can forge
///   one, which is why the pairing goes to the bin here.
///
/// All that the table shows of a pairing beside ``sealed`` is for other programs: this one believes only what is sealed.
package struct CloudRow: Hashable, Sendable {
    /// The columns by which a row is unique.
    package struct Key: Hashable, Sendable {
        /// The identifier of the user, as the auth server gave it: a UUID in lower case.
        package let user: String

        /// `bot_id`; empty for a pairing of which no bot is known.
        package let bot: String

        /// `gateway_fingerprint`.
        package let gateway: String

        package init(user: String, bot: String, gateway: String) {
            (self.user, self.bot, self.gateway) = (user.lowercased(), bot, gateway)
        }
    }

    /// The columns by which it is unique.
    package let key: Key

    /// `device_id`: the device that made the pairing, or had it last. Breaks ties of ``pairedAt``.
    package let device: String

    /// `paired_at`, in microseconds since 1970: the newest wins.
    package let pairedAt: Int

    /// `encrypted_token`; empty in a row that is deleted.
    package var sealed = ""

    /// `is_active`.
    package var isActive = true

    /// `bot_name`, as another device shows it. Untrusted. Of the columns after it, all but the last are not even read.
    package var botName: String?

    /// `bot_emoji`.
    package var botEmoji: String?

    /// `gateway_host`.
    package var host: String?

    /// `gateway_port`.
    package var port: UInt16?

    /// `remote_url`.
    package var remoteURL: String?

    /// `last_connected`, in microseconds since 1970.
    package var lastConnected: Int?

    package init(key: Key, device: String, pairedAt: Int) {
        (self.key, self.device, self.pairedAt) = (key, device, pairedAt)
    }

    /// The place of its content among all that the row ever has.
    package var version: CloudVersion { CloudVersion(pairedAt: pairedAt, isActive: isActive, device: device) }

    /// Indicates whether it wins over another row of the same key, whichever arrives first.
    package func isNewer(than other: CloudRow) -> Bool { version > other.version }
}

// MARK: JSON

extension CloudRow {
    /// The most bytes of `encrypted_token` that are read.
    package static let maximumSealedBytes = 262_144

    /// The columns that are asked for.
    package static let columns = """
        id,user_id,bot_id,gateway_fingerprint,bot_name,encrypted_token,device_id,paired_at,last_connected,is_active,\
        updated_at
        """

    /// Those of them that no row has long, but for the identifiers, whose length the table's index bounds.
    static let keyColumns = "id,user_id,bot_id,gateway_fingerprint,paired_at,is_active,updated_at"

    /// The row as it is sent: all columns of the client, whichever are empty, since the rows of one request must have the same.
    /// The table has no trigger that would set `updated_at`: PostgreSQL reads `now` as the time of its transaction.
    package var json: JSONValue {
        .object([
            "user_id": .string(key.user), "bot_id": .string(key.bot), "gateway_fingerprint": .string(key.gateway),
            "bot_name": Self.column(botName), "bot_emoji": Self.column(botEmoji), "gateway_host": Self.column(host),
            "gateway_port": port.map { JSONValue(integerLiteral: Int($0)) } ?? .null,
            "remote_url": Self.column(remoteURL), "encrypted_token": .string(sealed), "device_id": .string(device),
            "paired_at": .string(CloudTime.text(pairedAt)),
            "last_connected": Self.column(lastConnected.map(CloudTime.text)), "is_active": .bool(isActive),
            "updated_at": "now",
        ])
    }

    /// Reads a row; `nil` where a column that counts is missing, or is nothing that this program has written.
    package init?(_ json: JSONValue) {
        func text(_ column: String, _ limit: Int = StoreLimits.textBytes) -> String? {
            json[column]?.string.flatMap { $0.utf8.count <= limit ? $0 : nil }
        }
        guard let user = text("user_id"), let bot = text("bot_id"), let gateway = text("gateway_fingerprint"),
            let device = text("device_id"), let sealed = text("encrypted_token", Self.maximumSealedBytes)
        else { return nil }
        let pairedAt: Int
        if ["paired_at", "is_active"].contains(where: { json.object?[$0] == .null }) {
            // Any other one is newer: see ``CloudServer/replaceOlder(_:token:)``.
            pairedAt = CloudTime.range.lowerBound
        } else if let time = text("paired_at"), json["is_active"]?.bool != nil {
            // One that PostgreSQL has and no calendar, such as `infinity`, is later than any that is believed.
            pairedAt = CloudTime.read(time) ?? CloudTime.range.upperBound
        } else {
            return nil
        }
        self.init(key: Key(user: user, bot: bot, gateway: gateway), device: device, pairedAt: pairedAt)
        (self.sealed, self.isActive) = (sealed, json["is_active"]?.bool ?? true)
        (botName, lastConnected) = (text("bot_name"), text("last_connected").flatMap(CloudTime.read))
    }

    private static func column(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
