/// A text of a message as a service is given it that gives some texts a meaning: none of them becomes a mention, a link, a
/// template or markup there.
///
/// Services read bytes or code points: each scalar is judged by itself, and not the character that it forms with the
/// combining marks after it.
enum SinkText {
    /// A space without a width, which tears apart what would be read as one.
    private static let tear: Unicode.Scalar = "\u{200B}"

    /// Returns a text for what makes links of addresses, and gives nothing else a meaning.
    static func plain(_ text: String) -> String {
        mapped(text) { scalar, _, next in
            tears(scalar, before: next) ? [scalar, tear] : [scalar]
        }
    }

    /// Returns a text as Slack's mrkdwn, and that of services that take the same: its three characters are escaped, and marks
    /// of emphasis, which cannot be, touch nothing, so that they begin and end none.
    static func slack(_ text: String) -> String {
        mapped(text) { scalar, _, next in
            switch scalar {
            case "&": Array("&amp;".unicodeScalars)
            case "<": Array("&lt;".unicodeScalars)
            // At the beginning of a line, this is a quotation, escaped or not.
            case ">": [tear] + "&gt;".unicodeScalars
            case "*", "_", "~", "`", "#": [tear, scalar, tear]
            // The names of emoji stand between colons.
            case ":" where next.map { $0 != " " } ?? false: [scalar, tear]
            default: tears(scalar, before: next) ? [scalar, tear] : [scalar]
            }
        }
    }

    /// Returns a text as Discord's Markdown, in which every mark of ASCII can be escaped.
    static func discord(_ text: String) -> String {
        mapped(text) { scalar, _, _ in isMark(scalar) ? ["\\", scalar] : [scalar] }
    }

    /// Returns a text for Home Assistant, which may read it as a template (`{{ … }}`), as Markdown or as HTML, depending on
    /// what its user does with it, and has no escape that suits all three: look-alikes stand in the place of marks.
    static func homeAssistant(_ text: String) -> String {
        let result = mapped(text) { scalar, before, next in
            switch scalar {
            case "{", "}", "<", ">", "[", "]", "*", "~", "|", "\\", "#": [wide(scalar)]
            case "`": ["'"]
            // Within a word it is no mark, and identifiers have it.
            case "_" where !(isWord(before) && isWord(next)): [wide(scalar)]
            default: tears(scalar, before: next) ? [scalar, tear] : [scalar]
            }
        }
        // A list, or an indented block.
        guard let first = result.unicodeScalars.first, !first.properties.isAlphabetic else { return result }
        return String(tear) + result
    }

    /// Indicates whether a link or a mention would not be one without what is between two scalars: that of an address with a
    /// scheme, of a name with a dot, of an account.
    private static func tears(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
        switch scalar {
        case "@": true
        case ":": next == "/"
        case ".": next.map { $0.properties.isAlphabetic } ?? false
        default: false
        }
    }

    /// Returns the look-alike of a mark of ASCII that is as wide as an ideograph, and has no meaning to anybody.
    private static func wide(_ mark: Unicode.Scalar) -> Unicode.Scalar {
        Unicode.Scalar(mark.value + 0xFEE0) ?? mark
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F && !isWord(scalar)
    }

    private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, scalar.isASCII else { return false }
        return scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value)
    }

    /// Returns a text each scalar of which was replaced.
    ///
    /// - Parameter scalars: Returns what stands in the place of a scalar, given the ones before and after it.
    private static func mapped(
        _ text: String,
        _ scalars: (Unicode.Scalar, Unicode.Scalar?, Unicode.Scalar?) -> [Unicode.Scalar]
    ) -> String {
        let all = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        for (index, scalar) in all.enumerated() {
            let next = index + 1 < all.count ? all[index + 1] : nil
            result.append(contentsOf: scalars(scalar, index > 0 ? all[index - 1] : nil, next))
        }
        return String(result)
    }
}
