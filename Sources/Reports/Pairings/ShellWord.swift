internal import DNSSD
package import PairingStore

/// A word of a command that people may copy into a shell, quoted so that the shell takes a text from the network as one
/// word.
package struct ShellWord: CustomStringConvertible {
    package let description: String

    /// Makes a word from an untrusted text.
    ///
    /// - Parameter limit: The maximum number of characters that are shown.
    package init(_ untrusted: String, limit: Int = 64) {
        let text = DisplayText(untrusted, limit: limit).text
        let isPlain = text.allSatisfy { $0.isLetter || $0.isNumber || " -_.,:".contains($0) }
        // Between single quotes, only a single quote has a special meaning.
        description = isPlain ? "\"\(text)\"" : "'\(text.replacing("'", with: #"'\''"#))'"
    }

    /// The word as the last argument of a command, which would take one that begins with a hyphen for an option.
    package var lastArgument: String { description.dropFirst().hasPrefix("-") ? "-- \(description)" : description }

    /// Indicates whether a text stays the same when it is shown and copied: it is short, and all of it is visible.
    package static func keeps(_ text: String) -> Bool { DisplayText(text, limit: 64).text == text && !text.isEmpty }
}

extension StoredPairing {
    /// The word for a shell that means this pairing: its name, or its identifier if the name could not be copied.
    package var word: String { ShellWord.keeps(name) ? ShellWord(name).lastArgument : shortID }

    /// The beginning of the identifier, by which the user can name the pairing.
    package var shortID: String { String(id.description.prefix(8)) }
}
