internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Reports

/// The bots of a gateway that a command is about, as typed: `all`, or names and identifiers separated by commas.
struct BotChoice: Hashable, Sendable {
    /// The names and identifiers; `nil` for all bots.
    let names: [String]?

    static let all = BotChoice(names: nil)

    init(names: [String]?) {
        self.names = names
    }

    /// Reads what was typed.
    init(_ text: String) throws(ArgumentProblem) {
        guard text != "all" else {
            self = .all
            return
        }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmed) }
        guard !names.contains(""), names.allSatisfy({ $0.utf8.count <= 255 }) else {
            throw ArgumentProblem("Bots are names or identifiers between commas, such as Jarvis,bot-2, or all.")
        }
        self.names = names
    }

    /// Finds the chosen bots among those of the gateway.
    ///
    /// - Parameter bots: The bots, each with its identifier and name.
    /// - Returns: The identifiers in the order typed; `nil` for all bots.
    func resolved(among bots: [(id: BotID, name: String)]) throws(CommandFailure) -> [BotID]? {
        guard let names else { return nil }
        let things = Self.things(bots)
        var found: [BotID] = []
        for name in names {
            let id = try NameSearch.one(
                name,
                among: things,
                absence:
                    "it has no bot \(DisplayText(name, limit: 64).quoted); it has \(Self.list(things.map(\.label)))."
            )
            if !found.contains(id) { found.append(id) }
        }
        return found
    }

    /// Returns the chosen names that no bot of a pairing has.
    func missing(among bots: [(id: BotID, name: String)]) -> [String] {
        let things = Self.things(bots)
        return (names ?? []).filter { NameSearch.matches($0, among: things).isEmpty }
    }

    private static func things(_ bots: [(id: BotID, name: String)]) -> [Nameable<BotID>] {
        bots.map { bot in
            Nameable(
                subject: bot.id,
                // A gateway tells its bots apart by their identifiers.
                names: NameKeys(facts: [bot.id.text], names: [bot.name]),
                label: DisplayText(bot.name, limit: 64).quoted,
                word: word(for: bot.id)
            )
        }
    }

    /// Returns the word for a shell by which a bot alone is chosen; `nil` if its identifier could not be copied, or would be
    /// read as something else.
    static func word(for id: BotID) -> String? {
        guard (try? BotChoice(id.text))?.names == [id.text] else { return nil }
        return ShellWord(id.text)?.description
    }

    private static func list(_ labels: [String]) -> String {
        guard !labels.isEmpty else { return "none" }
        return labels.prefix(8).joined(separator: ", ") + (labels.count > 8 ? " and \(labels.count - 8) more" : "")
    }
}

extension Substring {
    /// The text without spaces around it.
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
