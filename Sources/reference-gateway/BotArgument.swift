internal import Console
internal import GatewayProtocol

/// A bot as given on the command line: `id=Name:emoji`, `id=Name` or `id`.
struct BotArgument: Hashable, Sendable {
    let bot: BotDescription

    /// Reads what was typed.
    init(_ text: String) throws(ArgumentProblem) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let id = BotID(String(first)) else {
            throw ArgumentProblem("A bot looks like bot-1=Jarvis:🤖, with an identifier of 1 to 128 bytes.")
        }
        var name = parts.count == 2 ? parts[1] : first
        var emoji: Substring?
        if parts.count == 2, let colon = name.lastIndex(of: ":") {
            emoji = name[name.index(after: colon)...]
            name = name[..<colon]
        }
        guard !name.isEmpty, emoji?.isEmpty != true,
            max(name.utf8.count, emoji?.utf8.count ?? 0) <= BotDescription.maximumTextLength
        else {
            throw ArgumentProblem(
                "A bot looks like bot-1=Jarvis:🤖; name and emoji have 1 to \(BotDescription.maximumTextLength) bytes."
            )
        }
        self.bot = BotDescription(id: id, name: String(name), emoji: emoji.map(String.init), status: "online")
    }
}
