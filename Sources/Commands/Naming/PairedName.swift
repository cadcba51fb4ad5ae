internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The name of a paired gateway or of one of its bots, as typed: a name, an identifier, a fingerprint, an address,
/// `GATEWAY/BOT`, or the beginning of one if nothing matches as a whole.
struct PairedName: Hashable, Sendable {
    /// The thing that a name can mean.
    enum Subject: Hashable, Sendable {
        case gateway(PairingID)
        case bot(PairingID, BotID)

        /// The pairing of the gateway, or the one that the bot belongs to.
        var pairing: PairingID {
            switch self {
            case .gateway(let id), .bot(let id, _): id
            }
        }
    }

    /// The maximum length of a name, in bytes.
    private static let longest = 255

    /// The text as typed.
    let text: String

    /// Reads what was typed.
    init(_ text: String) throws(ArgumentProblem) {
        guard (1...Self.longest).contains(text.utf8.count) else {
            throw ArgumentProblem("A name has 1 to \(Self.longest) bytes.")
        }
        self.text = text
    }

    /// Finds the gateway or the bot that the name means.
    func subject(among pairings: [StoredPairing]) throws(CommandFailure) -> Subject {
        try NameSearch.one(text, among: Self.gateways(pairings) + Self.bots(pairings), absence: absence)
    }

    /// Finds the pairing that the name means: that of the gateway or bot with this name.
    ///
    /// - Parameter absence: The message if there is none; by default that nothing paired has the name.
    func pairing(
        among pairings: [StoredPairing],
        absence: String? = nil
    ) throws(CommandFailure) -> StoredPairing {
        if let pairing = try Self.pairing(text, among: pairings) { return pairing }
        let things = Self.gateways(pairings) + Self.bots(pairings)
        throw CommandFailure(.nothingFound, (absence ?? self.absence) + NameSearch.suggestion(text, among: things))
    }

    /// Finds the pairing that a text means; `nil` if it means none.
    static func pairing(_ text: String, among pairings: [StoredPairing]) throws(CommandFailure) -> StoredPairing? {
        let found = NameSearch.matches(text, among: gateways(pairings) + bots(pairings))
        let ids = Set(found.map(\.subject.pairing))
        guard ids.count <= 1 else { throw NameSearch.ambiguity(text, found) }
        return pairings.first { ids.contains($0.id) }
    }

    /// Finds the pairing whose gateway has the name: for commands that affect a whole gateway, which the name of one of its
    /// bots does not say.
    func gateway(among pairings: [StoredPairing]) throws(CommandFailure) -> StoredPairing {
        try checkThatItIsNoBot(among: pairings)
        let id = try NameSearch.one(text, among: Self.gateways(pairings), absence: absence)
        guard let pairing = pairings.first(where: { $0.id == id.pairing }) else {
            throw CommandFailure(.nothingFound, absence)
        }
        return pairing
    }

    /// Throws if only bots have the name.
    func checkThatItIsNoBot(among pairings: [StoredPairing]) throws(CommandFailure) {
        guard NameSearch.matches(text, among: Self.gateways(pairings)).isEmpty,
            let bot = NameSearch.matches(text, among: Self.bots(pairings)).first,
            let pairing = pairings.first(where: { $0.id == bot.subject.pairing })
        else { return }
        throw CommandFailure(.nothingFound, "that is \(bot.label), and here a gateway is named: \(pairing.word).")
    }

    /// Finds the bot that the name means.
    func bot(among pairings: [StoredPairing]) throws(CommandFailure) -> (StoredPairing, StoredBot) {
        let subject = try NameSearch.one(
            text,
            among: Self.bots(pairings),
            absence: "no paired bot is called \(DisplayText(text, limit: 64).quoted). `clawradar pairings` shows them."
        )
        guard case .bot(let id, let botID) = subject, let pairing = pairings.first(where: { $0.id == id }),
            let bot = pairing.bots.first(where: { $0.id == botID })
        else { throw CommandFailure(.nothingFound, absence) }
        return (pairing, bot)
    }

    private var absence: String {
        "nothing paired is called \(DisplayText(text, limit: 64).quoted). `clawradar pairings` shows what there is."
    }

    // MARK: The names of paired gateways and bots

    /// Returns the gateways of pairings with all their names.
    static func gateways(_ pairings: [StoredPairing]) -> [Nameable<Subject>] {
        pairings.map { pairing in
            Nameable(
                subject: .gateway(pairing.id),
                names: keys(pairing),
                label: "gateway \(pairing.label)",
                word: pairing.shortID
            )
        }
    }

    /// Returns the texts that mean the gateway of a pairing.
    private static func keys(_ pairing: StoredPairing) -> NameKeys {
        NameKeys(
            identifier: pairing.id.description,
            facts: [pairing.gatewayID] + pairing.endpoints.flatMap { [$0.description, $0.address.description] },
            names: pairing.names + [pairing.fingerprint?.text, pairing.remoteURL].compactMap(\.self)
        )
    }

    /// Returns the bots of pairings with all their names.
    static func bots(_ pairings: [StoredPairing]) -> [Nameable<Subject>] {
        pairings.flatMap { pairing in
            let owner = keys(pairing)
            return pairing.bots.map { bot -> Nameable<Subject> in
                Nameable(
                    subject: .bot(pairing.id, bot.id),
                    names: NameKeys(facts: [bot.id.text], names: [bot.name, bot.id.text]),
                    of: owner,
                    label: "bot \(bot.label) of \(pairing.label)",
                    word: ShellWord("\(pairing.shortID)/\(bot.id.text)")?.description
                )
            }
        }
    }
}
