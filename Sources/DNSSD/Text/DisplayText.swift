/// Text from the network, cleaned so that it can be shown to a person.
///
/// Names and TXT values are what a stranger chose: they can hold terminal escapes, line breaks, bidirectional overrides
/// that reverse what is read, and characters that cannot be seen. Each such Unicode scalar is replaced by one `�`
/// (U+FFFD), so that tampering stays visible and two tampered names do not become one.
///
/// Replaced are controls (C0, DEL, C1), everything that Unicode calls *format* or *default ignorable* (bidirectional
/// controls, zero-width characters, fillers, tags), line and paragraph separators, private-use and unassigned scalars,
/// combining marks without a base, and those past the eighth on one base. The joiners and variation selectors that hold
/// an emoji together stay, so that a family stays one family.
///
/// It is for eyes only: JSON gets the exact text, HTML needs escaping on top.
///
/// ## Usage
///
///     print("found \(DisplayText(service.instance.name, limit: 40))")
public struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    /// The cleaned text.
    public let text: String

    /// Cleans a text, in time linear in the limit however long the text is.
    ///
    /// - Parameters:
    ///   - untrusted: Any text.
    ///   - limit: The most characters (grapheme clusters) of the result, at least 1; a longer text ends in `…`.
    public init(_ untrusted: String, limit: Int = 256) {
        let limit = max(limit, 1)
        // Enough for every result, since no character keeps more scalars than this.
        let (budget, isUnbounded) = (limit &+ 1).multipliedReportingOverflow(by: Self.scalarsPerCharacter)
        let scalars = untrusted.unicodeScalars
        var cleaner = ScalarCleaner()
        for scalar in scalars.prefix(isUnbounded || budget <= 0 ? .max : budget) { cleaner.take(scalar) }

        var characters: [Character] = []
        var isCut = false
        for character in cleaner.finish() {
            guard characters.count < limit else {
                isCut = true
                break
            }
            // Some scripts chain without end into one character.
            let isChain = character.unicodeScalars.count > Self.scalarsPerCharacter
            characters.append(isChain ? "\u{FFFD}" : character)
        }
        if isCut { characters[limit - 1] = "\u{2026}" }
        self.text = String(characters)
    }

    public var description: String { text }

    /// The longest emoji sequence that Unicode recommends has ten.
    private static let scalarsPerCharacter = 16
}
