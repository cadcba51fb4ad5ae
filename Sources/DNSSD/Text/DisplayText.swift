/// Text from the network, cleaned so that it can be shown to a person.
///
/// Names and TXT values are chosen by strangers: they can hold terminal escapes, line breaks, bidirectional overrides
/// that reverse the visible text, and invisible characters. Each such Unicode scalar is replaced by one `�` (U+FFFD),
/// so that tampering stays visible and two names that were tampered with stay different.
///
/// The replaced scalars are controls (C0, DEL, C1), everything that Unicode calls *format* or *default ignorable*
/// (bidirectional controls, zero-width characters, fillers, tags), line and paragraph separators, private-use and
/// unassigned scalars, combining marks without a base, and those after the eighth on one base. The joiners and
/// variation selectors that hold an emoji together are kept, so that a family emoji stays one character.
///
/// The result is for display only: JSON output contains the exact text, and HTML needs escaping in addition.
///
/// ## Usage
///
///     print("found \(DisplayText(service.instance.name, limit: 40))")
public struct DisplayText: Hashable, Sendable, CustomStringConvertible {
    /// The cleaned text.
    public let text: String

    /// Cleans a text, in time linear in the limit no matter how long the text is.
    ///
    /// - Parameters:
    ///   - untrusted: Any text.
    ///   - limit: The maximum number of characters (grapheme clusters) in the result, at least 1; a longer text ends in
    ///     `…`.
    public init(_ untrusted: String, limit: Int = 256) {
        let limit = max(limit, 1)
        // Enough for every result, because no character keeps more scalars than this.
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
            // In some scripts a single character can grow without limit.
            let isChain = character.unicodeScalars.count > Self.scalarsPerCharacter
            characters.append(isChain ? "\u{FFFD}" : character)
        }
        if isCut { characters[limit - 1] = "\u{2026}" }
        self.text = String(characters)
    }

    public var description: String { text }

    /// The maximum number of scalars in one character. The longest emoji sequence that Unicode recommends has ten.
    private static let scalarsPerCharacter = 16
}
