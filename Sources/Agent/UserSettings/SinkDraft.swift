/// A sink that a user wants to have in the configuration, not checked yet. A value.
package struct SinkDraft: Sendable {
    private let values: [(key: String, text: String)]

    /// Creates one.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - keys: Its other keys, each with its value in YAML: see ``quoted(_:)``.
    package init(name: String, _ keys: [(key: String, text: String)]) {
        values = [("name", Self.quoted(name))] + keys
    }

    /// The entry of the list of sinks, on one line.
    package var entry: String { "{" + values.map { "\($0.key): \($0.text)" }.joined(separator: ", ") + "}" }

    /// Returns a text as a scalar of YAML within braces: as it is where it is a word that cannot be taken for something else.
    package static func quoted(_ text: String) -> String {
        let isWord =
            text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            } && text.first?.isLetter == true
        guard !isWord || ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        else { return text }
        let inside = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            // Those that are no characters of YAML, or line breaks for it.
            case _
            where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                || [0x2028, 0x2029, 0xFEFF].contains(scalar.value):
                "\\u" + String(String(0x10000 + scalar.value, radix: 16).dropFirst())
            default: String(scalar)
            }
        }
        return "\"\(inside.joined())\""
    }
}
