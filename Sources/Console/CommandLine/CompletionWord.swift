/// A word that a shell offers to complete.
///
/// Shells hand the words of a completion to their own expansion: bash substitutes commands in them. So a word consists
/// of characters that no shell expands or splits.
package enum CompletionWord {
    /// The longest word that is offered, in bytes. A longer one is no help.
    private static let longest = 64

    /// Indicates whether no shell expands, splits or quotes a word, and no command takes it for an option.
    package static func isSafe(_ word: String) -> Bool {
        guard let first = word.unicodeScalars.first, isLetter(first), word.utf8.count <= longest else { return false }
        return word.unicodeScalars.allSatisfy { isLetter($0) || "._-".unicodeScalars.contains($0) }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value))
    }
}
