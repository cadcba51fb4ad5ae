/// A gateway's description of one of its bots. Untrusted: clean it before a person sees it.
public struct BotDescription: Hashable, Sendable {
    /// The most bytes of each text but the identifier; longer ones are cut.
    public static let maximumTextLength = 256

    /// The identifier that the gateway gives it.
    public let id: BotID

    /// Its name; the identifier where the gateway gives none.
    public let name: String

    /// Its emoji, where it has one.
    public let emoji: String?

    /// Its state, such as `online`, where the gateway says so.
    public let status: String?

    public init(id: BotID, name: String, emoji: String? = nil, status: String? = nil) {
        self.id = id
        self.name = name
        self.emoji = emoji
        self.status = status
    }

    /// Reads a bot; `nil` without an identifier. What else is of a wrong type is as if it were not there.
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
    /// As many whole scalars from the front as fit into so many bytes of UTF-8.
    package func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        // Scalars, not characters: one character can be as long as its sender likes.
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }
}
