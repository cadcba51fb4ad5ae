internal import ArgumentParser
internal import DNSSD

/// Something that the user can name in several ways on the command line.
struct Nameable<Subject: Hashable & Sendable>: Sendable {
    /// The thing itself.
    let subject: Subject

    /// All texts by which the user can name it: names, identifiers and addresses, not cleaned.
    let names: [String]

    /// A description for people, cleaned, which distinguishes things that have the same name.
    let label: String
}

/// The search for the thing whose name the user has typed.
enum NameSearch {
    /// The maximum number of candidates that are listed when several match.
    private static let mostNamed = 8

    /// Returns the things that a text can mean: those with exactly this name, otherwise those whose name differs only
    /// in upper and lower case, otherwise those whose name begins with the text.
    static func matches<Subject>(_ text: String, among things: [Nameable<Subject>]) -> [Nameable<Subject>] {
        let found = wholeMatches(text, among: things)
        guard found.isEmpty, !text.isEmpty else { return found }
        let folded = text.lowercased()
        return first([{ $0.lowercased().hasPrefix(folded) }], among: things)
    }

    /// Returns the things with a text as their whole name: those with exactly this name, otherwise those whose name
    /// differs only in upper and lower case.
    static func wholeMatches<Subject>(_ text: String, among things: [Nameable<Subject>]) -> [Nameable<Subject>] {
        guard !text.isEmpty else { return [] }
        let folded = text.lowercased()
        let isMeant: [(String) -> Bool] = [
            // People see the cleaned name, and so they type that.
            { $0 == text || DisplayText($0).text == text },
            { $0.lowercased() == folded || DisplayText($0).text.lowercased() == folded },
        ]
        return first(isMeant, among: things)
    }

    /// Returns the things that match the first rule that any of them matches, without duplicates.
    private static func first<Subject>(
        _ rules: [(String) -> Bool],
        among things: [Nameable<Subject>]
    ) -> [Nameable<Subject>] {
        for isMeant in rules {
            var seen: Set<Subject> = []
            let found = things.filter { $0.names.contains(where: isMeant) && seen.insert($0.subject).inserted }
            guard found.isEmpty else { return found }
        }
        return []
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
        guard let first = found.first else { throw CommandFailure(.nothingFound, absence) }
        guard found.count == 1 else { throw ambiguity(text, found.map(\.label)) }
        return first.subject
    }

    /// Returns the failure for a name that matches several things.
    static func ambiguity(_ text: String, _ labels: [String]) -> CommandFailure {
        let rest = labels.count > mostNamed ? ", and \(labels.count - mostNamed) more" : ""
        let list = labels.prefix(mostNamed).joined(separator: ", ")
        return CommandFailure(
            .usage,
            "“\(DisplayText(text, limit: 64))” can be \(list)\(rest). Give all of a name, an identifier or an address."
        )
    }
}
