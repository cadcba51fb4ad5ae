internal import DNSSD
internal import GatewayProtocol
package import Pairing
package import Scanning

/// A word of a command that people may copy into a shell. It has only characters of ASCII that sh, bash, zsh and fish take as
/// they are between quotation marks, in a script and where people type: nothing in it runs, is replaced or becomes an option.
///
/// A shell reads bytes, and each scalar is judged by itself: a quotation mark and the combining mark after it are one
/// character, in which nobody who looks for a quotation mark finds one.
package struct ShellWord: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Makes a word; `nil` if a text has anything else in it, is longer than the limit, or begins like an option. Then
    /// something else has to stand in its place.
    package init?(_ text: String, limit: Int = 300) {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, first != "-", text.utf8.count <= limit, scalars.allSatisfy(Self.isKnown) else {
            return nil
        }
        description = scalars.allSatisfy(Self.isPlain) ? "\"\(text)\"" : "'\(text)'"
    }

    /// Makes the word for a link that this device has made, in which what others have chosen is encoded. It stands between single
    /// quotes, where no mark in it has a meaning.
    package init?(link: String) {
        let scalars = link.unicodeScalars
        guard let first = scalars.first, Self.isLetterOrDigit(first),
            scalars.allSatisfy({ Self.isKnown($0) && $0 != " " || "?&".unicodeScalars.contains($0) })
        else { return nil }
        description = "'\(link)'"
    }

    /// Makes the word for a name that somebody gave to a thing; `nil` if it can be no word, or is not certainly a name: it
    /// may look like an address, a link, or the identifier of something else, which never lose to a name.
    package init?(name: String) {
        let scalars = name.unicodeScalars
        let isHexadecimal = name.utf8.count >= 8 && scalars.allSatisfy(\.properties.isASCIIHexDigit)
        guard name.utf8.count <= 64, !isHexadecimal, let first = scalars.first, Self.isLetterOrDigit(first),
            scalars.allSatisfy({ Self.isLetterOrDigit($0) || " -_.,()#+".unicodeScalars.contains($0) }),
            scalars.contains(where: { Self.isLetterOrDigit($0) && $0.properties.isAlphabetic })
        else { return nil }
        self.init(name)
    }

    /// Makes the word for the path of a file that the user has typed, whatever is in it: every byte of it stands in quotation
    /// marks of a kind in which all shells leave it alone. `nil` if it could not be read and copied as it is shown.
    package init?(path: String) {
        let shown = DisplayText(path, limit: 256).text
        // Where people type, an exclamation mark has a meaning to some shells, even between quotation marks.
        guard !path.isEmpty, Array(shown.utf8) == Array(path.utf8), !path.utf8.contains(UInt8(ascii: "!")) else {
            return nil
        }
        var word = path.utf8.first == UInt8(ascii: "-") ? "'./" : "'"
        for scalar in path.unicodeScalars {
            switch scalar {
            // Between single quotes, a backslash has a meaning to fish.
            case "'": word += #"'"'"'"#
            case "\\": word += #"'"\\"'"#
            default: word.unicodeScalars.append(scalar)
            }
        }
        description = word + "'"
    }

    /// Returns the beginning of an identifier that this device gave to a pairing, which needs no quotation marks; `nil` if it
    /// is none.
    static func shortID(_ identifier: String) -> String? {
        let scalars = identifier.unicodeScalars.prefix(8)
        guard scalars.count == 8, scalars.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value))
    }

    /// Indicates whether a scalar means itself between quotation marks of any kind.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        isLetterOrDigit(scalar) || " -_.,:".unicodeScalars.contains(scalar)
    }

    /// Indicates whether a scalar means itself at least between single quotes.
    private static func isKnown(_ scalar: Unicode.Scalar) -> Bool {
        isPlain(scalar) || "/@+=%#()[]~".unicodeScalars.contains(scalar)
    }
}

extension StoredPairing {
    /// The word for a shell that means this pairing: its name, or its identifier if the name could not be copied.
    package var word: String { ShellWord(name: name)?.description ?? shortID }

    /// The beginning of the identifier, by which the user can name the pairing.
    package var shortID: String { String(id.description.prefix(8)) }

    /// A description for people: the name of the gateway, and the beginning of the identifier.
    package var label: String { "\(DisplayText(name, limit: 64).quoted) (\(shortID))" }
}

extension StoredBot {
    /// A description for people: the name of the bot, and its identifier if that is different.
    package var label: String {
        let shown = DisplayText(name, limit: 64).quoted
        return name == id.text ? shown : "\(shown) (\(DisplayText(id.text, limit: 64)))"
    }
}

extension Gateway {
    /// The address to type, which nobody else has; `nil` if there is none.
    package var word: String? { paths.lazy.compactMap { ShellWord($0.endpoint.description)?.description }.first }
}
