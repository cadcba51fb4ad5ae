internal import ArgumentParser
internal import Console
internal import DNSSD

/// The search for the thing whose name the user has typed.
///
/// Names are chosen by whoever has them, and so are the identifiers that gateways tell; any number of things can have the
/// same one. None of them wins over another: several are an ambiguity, which the user decides.
enum NameSearch {
    /// The maximum number of candidates that are listed when several match.
    private static let mostNamed = 8

    /// The maximum number of things whose names are compared with a name that nothing has.
    private static let mostCompared = 256

    /// The ways in which a text can mean a thing, the best one first. Things that it means in a worse way do not count.
    private enum Way: CaseIterable {
        /// By what nobody else can choose. An identifier never loses to a name.
        case identifier
        /// By a name within something that is itself named by its identifier.
        case nameWithinIdentified
        /// By a whole name, which is the same name in other letter case or with other spaces.
        case name
        /// By the beginning of any of these.
        case beginning
    }

    /// Returns the things that a text can mean.
    static func matches<Subject>(_ text: String, among things: [Nameable<Subject>]) -> [Nameable<Subject>] {
        first(Way.allCases, text, among: things)
    }

    /// Returns the things that a text means as a whole, and not as the beginning of something longer.
    static func wholeMatches<Subject>(_ text: String, among things: [Nameable<Subject>]) -> [Nameable<Subject>] {
        first(Way.allCases.filter { $0 != .beginning }, text, among: things)
    }

    /// Returns the things that match in the first way in which any of them matches, without duplicates.
    private static func first<Subject>(
        _ ways: [Way],
        _ text: String,
        among things: [Nameable<Subject>]
    ) -> [Nameable<Subject>] {
        let query = Query(text)
        guard !query.key.isEmpty else { return [] }
        for way in ways {
            var seen: Set<Subject> = []
            let found = things.filter { query.means($0, way) && seen.insert($0.subject).inserted }
            guard found.isEmpty else { return found }
        }
        // Shells that take a name for that of a folder complete it with a slash.
        return text.hasSuffix("/") ? first(ways, String(text.dropLast()), among: things) : []
    }

    /// The name that was typed, with its possible readings.
    private struct Query {
        let text: String
        let key: String

        /// The gateway and the bot that it can be taken for, at each slash, since names can contain slashes.
        let parts: [(owner: String, ownerKey: String, text: String, key: String)]

        init(_ text: String) {
            self.text = text
            self.key = NameKeys.key(text)
            self.parts = text.indices.filter { text[$0] == "/" }.prefix(4).map { slash in
                let (owner, thing) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
                return (owner, NameKeys.key(owner), thing, NameKeys.key(thing))
            }
        }

        func means<Subject>(_ thing: Nameable<Subject>, _ way: Way) -> Bool {
            let keys = thing.names
            guard let owner = thing.owner else {
                return switch way {
                case .identifier: keys.isIdentified(by: text)
                case .nameWithinIdentified: false
                case .name: keys.isCalled(key)
                case .beginning: keys.begins(with: key)
                }
            }
            return switch way {
            case .identifier: parts.contains { owner.isIdentified(by: $0.owner) && keys.isIdentified(by: $0.text) }
            case .nameWithinIdentified: parts.contains { owner.isIdentified(by: $0.owner) && keys.isCalled($0.key) }
            case .name: keys.isCalled(key) || parts.contains { owner.isCalled($0.ownerKey) && keys.isCalled($0.key) }
            case .beginning:
                keys.begins(with: key)
                    || parts.contains { part in
                        !part.key.isEmpty && keys.begins(with: part.key)
                            && (owner.isIdentified(by: part.owner) || owner.isCalled(part.ownerKey))
                    }
            }
        }
    }

    /// Returns the one thing that a text means.
    ///
    /// - Parameters:
    ///   - text: The text that was typed.
    ///   - things: The things to search.
    ///   - absence: The message if nothing matches.
    /// - Throws: A failure with the exit status 1 if nothing matches, or with 64 and the candidates if several things
    ///   match.
    static func one<Subject>(
        _ text: String,
        among things: [Nameable<Subject>],
        absence: String
    ) throws(CommandFailure) -> Subject {
        let found = matches(text, among: things)
        guard let first = found.first else {
            throw CommandFailure(.nothingFound, absence + suggestion(text, among: things))
        }
        guard found.count == 1 else { throw ambiguity(text, found) }
        return first.subject
    }

    /// Returns the question whether another thing was meant, with a space before it; an empty text if no name is near.
    ///
    /// - Parameters:
    ///   - text: The text that was typed, which means none of the things.
    ///   - things: The things that were searched. Only the first are compared, so that nobody waits for names that
    ///     somebody else has made.
    static func suggestion<Subject>(_ text: String, among things: [Nameable<Subject>]) -> String {
        let compared = things.prefix(mostCompared)
        let names = compared.flatMap(\.names.names).filter { $0.utf8.count <= 64 }
        guard let name = SpellingSuggestion.nearest(to: NameKeys.key(text), among: names.sorted()),
            let meant = compared.first(where: { $0.names.isCalled(name) })
        else { return "" }
        return " Did you mean \(meant.label)?"
    }

    /// Returns the failure for a name that matches several things, which says how to name each of them.
    static func ambiguity<Subject>(_ text: String, _ found: [Nameable<Subject>]) -> CommandFailure {
        let rest = found.count > mostNamed ? ", and \(found.count - mostNamed) more" : ""
        let list = found.prefix(mostNamed).map { thing in
            thing.word.map { "\(thing.label) → \($0)" } ?? thing.label
        }
        .joined(separator: "; ")
        let advice = found.contains { $0.word != nil } ? "Give what stands behind the arrow." : "Give an address."
        return CommandFailure(.usage, "\(DisplayText(text, limit: 64).quoted) can be \(list)\(rest). \(advice)")
    }
}
