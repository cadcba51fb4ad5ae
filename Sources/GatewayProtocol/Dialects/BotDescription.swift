/// A gateway's description of one of its bots. Untrusted: clean it before showing it.
public struct BotDescription: Hashable, Sendable {
    /// The most bytes of each text except the identifier; longer texts are cut.
    public static let maximumTextLength = 256

    /// The identifier that the gateway gives the bot.
    public let id: BotID

    /// The name of the bot; the identifier where the gateway gives none.
    public let name: String

    /// The emoji of the bot, where it has one.
    public let emoji: String?

    /// The state of the bot, such as `online`, where the gateway reports it.
    public let status: String?

    /// Creates a description of a bot. The texts are kept as they are; only those that are read from a gateway are cut.
    public init(id: BotID, name: String, emoji: String? = nil, status: String? = nil) {
        self.id = id
        self.name = name
        self.emoji = emoji
        self.status = status
    }

    /// Reads a bot; `nil` without an identifier. Other fields of a wrong type are ignored.
    init?(json: JSONValue) {
        guard let id = json["botId"]?.string.flatMap(BotID.init) else { return nil }
        func text(_ key: String) -> String? {
            guard let text = json[key]?.string, !text.isEmpty else { return nil }
            return text.cut(toBytes: Self.maximumTextLength)
        }
        self.init(id: id, name: text("name") ?? id.text, emoji: text("emoji"), status: text("status"))
    }

    /// The bot as JSON, with every field.
    public var json: JSONValue {
        .object([
            "botId": .string(id.text), "name": .string(name), "emoji": emoji.map(JSONValue.string) ?? .null,
            "status": status.map(JSONValue.string) ?? .null,
        ])
    }
}

extension String {
    /// Returns the longest prefix of whole Unicode scalars that fits into `limit` bytes of UTF-8.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        // Scalars, not characters: a sender can make one character arbitrarily long.
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
