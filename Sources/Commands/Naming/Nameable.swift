internal import DNSSD

/// Something that the user can name in several ways on the command line.
struct Nameable<Subject: Hashable & Sendable>: Sendable {
    /// The thing itself.
    let subject: Subject

    /// The texts that mean it.
    let names: NameKeys

    /// The gateway that it belongs to, in front of whose slash its names can stand: `GATEWAY/BOT`. `nil` for a gateway.
    let owner: NameKeys?

    /// A description for people, cleaned, which distinguishes things that have the same name.
    let label: String

    /// A word for a shell that means only this thing; `nil` if it has none.
    let word: String?

    init(subject: Subject, names: NameKeys, of owner: NameKeys? = nil, label: String, word: String? = nil) {
        self.subject = subject
        self.names = names
        self.owner = owner
        self.label = label
        self.word = word
    }
}

/// The texts that mean one thing, prepared for a search.
struct NameKeys: Hashable, Sendable {
    /// The minimum length of the beginning of an identifier that counts as the identifier: that of those shown.
    private static let shortestIdentifier = 8

    /// The identifier that this device gave to it at random; `nil` if there is none.
    private let identifier: String?

    /// Other texts that nobody else can have: the addresses where it was found, and the identifier of a bot among the
    /// bots of its gateway.
    private let facts: [String]

    /// The names that it was given, without what makes no other name.
    let names: Set<String>

    /// All of these texts, each without what makes no other name.
    private let all: [String]

    /// Prepares the texts that mean something.
    ///
    /// - Parameters:
    ///   - identifier: The identifier that this device gave to it at random.
    ///   - facts: Other texts that nobody else can have.
    ///   - names: The names and identifiers that its owner gave to it, not cleaned. Any number of things can have them.
    init(identifier: String? = nil, facts: [String] = [], names: [String]) {
        self.identifier = identifier
        self.facts = facts
        // People see the cleaned name, and so they type that.
        self.names = Set(
            names.flatMap { name in
                let shown = DisplayText(name).text
                return shown == name ? [Self.key(name)] : [Self.key(name), Self.key(shown)]
            }
        )
        self.all = self.names + ([identifier].compactMap(\.self) + facts).map(Self.key)
    }

    /// Indicates whether a text can mean nothing else.
    func isIdentified(by text: String) -> Bool {
        if facts.contains(text) { return true }
        guard let identifier else { return false }
        return text == identifier || text.count >= Self.shortestIdentifier && identifier.hasPrefix(text)
    }

    /// Indicates whether it has a name.
    ///
    /// - Parameter key: The key of the name.
    func isCalled(_ key: String) -> Bool { names.contains(key) }

    /// Indicates whether one of the texts begins with another.
    func begins(with key: String) -> Bool { all.contains { $0.hasPrefix(key) } }

    /// Returns a name without what makes no other name: letter case, spaces, and the forms of marks that keyboards do not
    /// have.
    static func key(_ name: String) -> String {
        let letters = name.compactMap { character -> Character? in
            // Nothing has to be looked up for most: a scan asks for the keys of all that it shows.
            if character.isASCII { return character <= " " && character.isWhitespace ? nil : character }
            return character.isWhitespace ? nil : typed[character] ?? character
        }
        // First to upper case, which also unites letters that have several lower cases: ß and ss, ſ and s.
        return String(letters).uppercased().lowercased()
    }

    /// The marks that keyboards have, by those that programs put in their places.
    private static let typed: [Character: Character] = [
        "‘": "'", "’": "'", "‚": "'", "‛": "'", "ʼ": "'", "′": "'", "“": "\"", "”": "\"", "„": "\"", "‟": "\"",
        "″": "\"",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-",
    ]
}
