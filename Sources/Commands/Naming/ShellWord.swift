internal import DNSSD
internal import PairingStore

/// A word of a command that people may copy into a shell, quoted so that the shell takes a text from the network as one
/// word.
struct ShellWord: CustomStringConvertible {
    let description: String

    /// Makes a word from an untrusted text.
    ///
    /// - Parameter limit: The maximum number of characters that are shown.
    init(_ untrusted: String, limit: Int = 64) {
        let text = DisplayText(untrusted, limit: limit).text
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || " -_.,:".contains($0) }
        // Between single quotes, only a single quote has a special meaning.
        description = isPlain ? "\"\(text)\"" : "'\(text.replacing("'", with: #"'\''"#))'"
    }

    /// The word as the last argument of a command, which would take one that begins with a hyphen for an option.
    var lastArgument: String { description.dropFirst().hasPrefix("-") ? "-- \(description)" : description }

    /// Indicates whether a text stays the same when it is shown and copied: it is short, and all of it is visible.
    static func keeps(_ text: String) -> Bool { DisplayText(text, limit: 64).text == text && !text.isEmpty }
}

extension StoredPairing {
    /// The word for a shell that means this pairing: its name, or its identifier if the name could not be copied.
    var word: String { ShellWord.keeps(name) ? ShellWord(name).lastArgument : shortID }
}
