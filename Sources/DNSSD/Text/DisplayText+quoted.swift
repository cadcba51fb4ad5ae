extension DisplayText {
    /// The text between quotation marks that it cannot contain, so that nothing in it can be taken for what stands beside it:
    /// for the words of a message, or for the command that it advises.
    ///
    /// Each scalar is judged by itself, since a quotation mark and the combining mark after it are one character.
    package var quoted: String { Self.quoted(text) }

    /// Returns a text that was cleaned, and perhaps cut, between quotation marks that it cannot contain.
    package static func quoted(_ cleaned: String) -> String {
        var scalars = String.UnicodeScalarView("“".unicodeScalars)
        for scalar in cleaned.unicodeScalars {
            switch scalar {
            case "“", "”", "„", "‟": scalars.append("\"")
            case "`": scalars.append("'")
            default: scalars.append(scalar)
            }
        }
        scalars.append("”")
        return String(scalars)
    }
}
