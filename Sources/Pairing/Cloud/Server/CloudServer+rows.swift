internal import GatewayProtocol

/// The requests for rows.
extension CloudServer {
    private static let table = "/rest/v1/bot_pairings"

    private static func encoded(_ text: String) -> String { PercentEncoding.encoded(text.utf8) }

    /// The place of a row in the order in which rows are read.
    struct Place: Hashable, Sendable {
        let updatedAt: Int
        /// The identifier of the row; `nil` for the beginning of that time.
        let id: String?

        init(updatedAt: Int, id: String?) { (self.updatedAt, self.id) = (updatedAt, id) }

        /// The place of a row that was read; `nil` if it has none.
        init?(_ row: JSONValue) {
            guard let time = row["updated_at"]?.string.flatMap(CloudTime.read), let id = row["id"]?.string,
                id.utf8.count <= 64
            else { return nil }
            self.init(updatedAt: time, id: id)
        }

        /// Indicates whether it comes after another one: identifiers, in lower case, have the order of their texts.
        func follows(_ other: Place) -> Bool { (updatedAt, id ?? "") > (other.updatedAt, other.id ?? "") }
    }

    /// Reads rows, in the order in which they were written.
    ///
    /// - Parameters:
    ///   - place: The place after which to begin; `nil` for all.
    ///   - limit: The most rows.
    ///   - isSealed: Indicates whether to read what is sealed, and all else that can be long.
    func rows(
        of user: String,
        after place: Place?,
        atMost limit: Int,
        isSealed: Bool = true,
        token: Secret
    ) async throws(CloudError) -> Answer {
        let columns = isSealed ? CloudRow.columns : CloudRow.keyColumns
        var query = "select=\(columns)&user_id=eq.\(Self.encoded(user))"
        if let place {
            let time = Self.encoded("\"\(CloudTime.text(place.updatedAt))\"")
            query +=
                place.id.map {
                    "&or=(updated_at.gt.\(time),and(updated_at.eq.\(time),id.gt.\(Self.encoded("\"\($0)\""))))"
                }
                ?? "&updated_at=gte.\(Self.encoded(CloudTime.text(place.updatedAt)))"
        }
        return try await ask("GET", "\(Self.table)?\(query)&order=updated_at.asc,id.asc&limit=\(limit)", token: token)
    }

    /// Reads the rows that have a vault key of the user, wrapped by a passphrase, the newest first.
    func wrappedKeys(of user: String, atMost limit: Int, token: Secret) async throws(CloudError) -> Answer {
        let query = "select=\(CloudRow.columns)&user_id=eq.\(Self.encoded(user))"
        let kind = "gateway_fingerprint=like.\(Self.encoded(CloudRow.wrappedKeyPrefix))*"
        return try await ask("GET", "\(Self.table)?\(query)&\(kind)&order=updated_at.desc&limit=\(limit)", token: token)
    }

    /// Inserts rows that the table does not have: the first of two statements that have the same effect in any order.
    ///
    /// - Returns: Those that were inserted. The others are there already, whatever is in them.
    func insert(_ rows: [CloudRow], token: Secret) async throws(CloudError) -> Set<CloudRow.Key> {
        let answer = try await ask(
            "POST",
            "\(Self.table)?on_conflict=user_id,bot_id,gateway_fingerprint&select=user_id,bot_id,gateway_fingerprint",
            .array(rows.map(\.json)),
            token: token,
            preference: "resolution=ignore-duplicates,return=representation"
        )
        let inserted = (answer.json?.array ?? []).compactMap { row -> CloudRow.Key? in
            guard let user = row["user_id"]?.string, let bot = row["bot_id"]?.string,
                let gateway = row["gateway_fingerprint"]?.string
            else { return nil }
            return CloudRow.Key(user: user, bot: bot, gateway: gateway)
        }
        return Set(inserted)
    }

    /// Says when a gateway was connected last, in the rows of it that say an earlier time, and changes nothing else of them.
    func noteConnected(_ gateway: String, of user: String, at time: Int, token: Secret) async throws(CloudError) {
        let text = CloudTime.text(time * 1_000)
        let key = "user_id=eq.\(Self.encoded(user))&gateway_fingerprint=eq.\(Self.encoded(gateway))&is_active=is.true"
        _ = try await ask(
            "PATCH",
            "\(Self.table)?\(key)&or=(last_connected.is.null,last_connected.lt.\(Self.encoded("\"\(text)\"")))",
            .object(["last_connected": .string(text), "updated_at": "now"]),
            token: token,
            preference: "return=minimal"
        )
    }

    /// Puts a row in place of an older one: the second statement. Whether there was an older one is not asked. A row without a
    /// time, or that says neither that it is active nor that it is not, was written by something else: any other one is newer.
    func replaceOlder(_ row: CloudRow, token: Secret) async throws(CloudError) {
        let key = [("user_id", row.key.user), ("bot_id", row.key.bot), ("gateway_fingerprint", row.key.gateway)]
            .map { "\($0)=eq.\(Self.encoded($1))" }.joined(separator: "&")
        let time = Self.encoded("\"\(CloudTime.text(row.pairedAt))\"")
        // The order of `CloudVersion`.
        let tie = row.isActive ? ",device_id.lt.\(Self.encoded("\"\(row.device)\""))" : ""
        _ = try await ask(
            "PATCH",
            "\(Self.table)?\(key)&or=(paired_at.is.null,is_active.is.null,paired_at.lt.\(time),"
                + "and(paired_at.eq.\(time),is_active.is.true\(tie)))",
            row.json,
            token: token,
            preference: "return=minimal"
        )
    }
}

extension JSONValue {
    /// The row without what is sealed, for one in which that is too long, and with what was not asked for.
    var withoutSeal: JSONValue {
        let fields = (object ?? [:]).merging(["encrypted_token": ""]) { $1 }
        return .object(fields.merging(["device_id": ""]) { present, _ in present })
    }
}
