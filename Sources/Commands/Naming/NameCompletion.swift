internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// A word that a shell offers for something paired, which means nothing else.
///
/// It is safe by ``CompletionWord``; whatever has another name is offered by its identifier.
struct NameCompletion: Hashable, Sendable {
    let word: String

    /// A description for people, cleaned, for shells that show one.
    let text: String

    /// Returns the line by which a shell is told the word.
    func line(for shell: CompletionShell?) -> String {
        switch shell {
        case .zsh?: "\(word):\(text)"
        case .fish?: "\(word)\t\(text)"
        default: word
        }
    }

    // MARK: The words of pairings

    /// Returns the words for gateways and bots, in the order of the pairings. Those without a safe word are left out.
    static func all(_ gateways: [StoredPairing], bots: [(pairing: StoredPairing, bot: StoredBot)]) -> [NameCompletion] {
        let ofGateways = gateways.map { Set([$0.name, $0.fingerprint?.text ?? ""].map(NameKeys.key)) }
        let ofBots = bots.map { Set([$0.bot.name, $0.bot.id.text].map(NameKeys.key)) }
        let words = Words(
            counts: (ofGateways + ofBots).joined().reduce(into: [:]) { $0[$1, default: 0] += 1 },
            identifiers: (gateways + bots.map(\.pairing)).reduce(into: [:]) {
                $0[$1.shortID, default: []].insert($1.id)
            },
            addresses: Set(gateways.flatMap { $0.endpoints.map(\.address.description) })
        )
        return gateways.map { pairing in
            NameCompletion(
                word: words.name(pairing.name) ?? words.identifier(pairing),
                text: "gateway \(pairing.label)"
            )
        }
            + bots.compactMap { pairing, bot in
                (words.name(bot.name) ?? words.name(bot.id.text) ?? words.identifier(bot, pairing)).map { word in
                    NameCompletion(word: word, text: "bot \(bot.label) of \(pairing.label)")
                }
            }
    }

    /// The names among which a word must mean one thing.
    private struct Words {
        /// The number of things with each name.
        let counts: [String: Int]

        /// The pairings whose identifiers begin alike.
        let identifiers: [String: Set<PairingID>]

        let addresses: Set<String>

        /// Returns a name as a word; `nil` if it is not safe, or if it means several things.
        func name(_ name: String) -> String? {
            let isHexadecimal = name.count >= 8 && name.allSatisfy(\.isHexDigit)
            // An identifier and an address mean something else, whatever has them as its name.
            guard CompletionWord.isSafe(name), counts[NameKeys.key(name)] == 1, !isHexadecimal,
                !addresses.contains(name)
            else { return nil }
            return name
        }

        func identifier(_ pairing: StoredPairing) -> String {
            identifiers[pairing.shortID]?.count == 1 ? pairing.shortID : pairing.id.description
        }

        func identifier(_ bot: StoredBot, _ pairing: StoredPairing) -> String? {
            CompletionWord.isSafe(bot.id.text) ? "\(identifier(pairing))/\(bot.id.text)" : nil
        }
    }
}
