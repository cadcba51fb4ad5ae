internal import ArgumentParser
internal import DNSSD

/// Something that can be called by several names on the command line.
struct Nameable<Subject: Hashable & Sendable>: Sendable {
    /// The thing itself.
    let subject: Subject

    /// All that it can be called: names, identifiers and addresses, exactly as they are.
    let names: [String]

    /// The thing for people, cleaned: where several have one name, it tells them apart.
    let label: String
}

/// The search for what somebody has typed the name of.
enum NameSearch {
    /// The most candidates that are named where several fit.
    private static let mostNamed = 8

    /// The things that a text can mean: those that are called exactly so, else those in other letters, else those of which
    /// it is the beginning of a name.
    static func matches<Subject>(_ text: String, among things: [Nameable<Subject>]) -> [Nameable<Subject>] {
        let found = wholeMatches(text, among: things)
        guard found.isEmpty, !text.isEmpty else { return found }
        let folded = text.lowercased()
        return first([{ $0.lowercased().hasPrefix(folded) }], among: things)
    }

    /// The things of which a text is all of a name: those that are called exactly so, else those in other letters.
    static func wholeMatches<Subject>(_ text: String, among things: [Nameable<Subject>]) -> [Nameable<Subject>] {
        guard !text.isEmpty else { return [] }
        let folded = text.lowercased()
        let isMeant: [(String) -> Bool] = [
            // What people see is cleaned, and is what they type.
            { $0 == text || DisplayText($0).text == text },
            { $0.lowercased() == folded || DisplayText($0).text.lowercased() == folded },
        ]
        return first(isMeant, among: things)
    }

    /// The things that fit the first rule which any fits, each once.
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

    /// The one thing that a text means.
    ///
    /// - Parameters:
    ///   - text: The text that was typed.
    ///   - things: The things among which it is looked for.
    ///   - absence: The sentence for when there is none of that name.
    /// - Throws: The exit status 1 when there is none, and 64 with the candidates when there are several.
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

    /// The failure for a name that several have.
    static func ambiguity(_ text: String, _ labels: [String]) -> CommandFailure {
        let rest = labels.count > mostNamed ? ", and \(labels.count - mostNamed) more" : ""
        let list = labels.prefix(mostNamed).joined(separator: ", ")
        return CommandFailure(
            .usage,
            "“\(DisplayText(text, limit: 64))” can be \(list)\(rest). Give all of a name, an identifier or an address."
        )
    }
}
