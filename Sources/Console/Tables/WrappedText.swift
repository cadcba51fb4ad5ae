/// Texts for people in lines of a given width: broken between words, and never cut.
///
/// A command that is quoted in a text stays in one piece, on a line of its own where the text takes more than one, so that it
/// can be copied. Addresses and digests that are longer than a line stay in one piece, too.
package enum WrappedText {
    /// The width of a terminal in cells below which a command is broken, too.
    private static let narrowest = 40

    /// Returns the lines of a text.
    ///
    /// - Parameters:
    ///   - text: The text, cleaned.
    ///   - indent: The beginning of each line.
    ///   - first: The beginning of the first line; `nil` if it begins like the others.
    ///   - width: The available width in cells; `nil` if nothing needs to be broken.
    ///   - isLive: Indicates whether the lines are part of a picture, in which none may be too long: a command that is longer
    ///     than a line is broken there. Elsewhere the terminal breaks it, and copies it whole.
    package static func lines(
        _ text: String,
        indent: String = "  ",
        first: String? = nil,
        width: Int?,
        isLive: Bool = false
    ) -> [String] {
        let start = first ?? indent
        guard let width, DisplayWidth.of(start) + DisplayWidth.of(text) > width else { return [start + text] }
        let isBroken = isLive || width < narrowest
        var lines: [String] = []
        var line = start
        var isEmpty = true
        func finish() {
            lines.append(line)
            line = indent
            isEmpty = true
        }
        for (piece, isCommand) in pieces(text) {
            let isWhole = !isBroken && (isCommand || isAddressOrDigest(piece))
            let length = DisplayWidth.of(String(piece))
            if !isEmpty, isCommand || DisplayWidth.of(line) + 1 + length > width { finish() }
            var rest = piece
            while !isWhole,
                DisplayWidth.of(line) + (isEmpty ? 0 : 1) + DisplayWidth.of(String(rest)) > width
            {
                let part = beginning(of: rest, in: width - DisplayWidth.of(line))
                line += part
                rest = rest.dropFirst(part.count)
                finish()
                while rest.first == " " { rest.removeFirst() }
            }
            guard !rest.isEmpty else { continue }
            line += (isEmpty ? "" : " ") + rest
            isEmpty = false
            if isCommand { finish() }
        }
        if !isEmpty { lines.append(line) }
        return lines
    }

    /// Returns the words of a text, and each command in one piece.
    private static func pieces(_ text: String) -> [(text: Substring, isCommand: Bool)] {
        var pieces: [(text: Substring, isCommand: Bool)] = []
        func add(_ words: Substring) { pieces += words.split(separator: " ").map { ($0, false) } }
        var rest = text[...]
        while let found = rest.firstMatch(of: command) {
            add(rest[..<found.range.lowerBound])
            var command = found.output
            while command.last == " " { command.removeLast() }
            pieces.append((command, true))
            rest = rest[found.range.upperBound...]
        }
        add(rest)
        return pieces
    }

    /// A command with what stands around it without a space: from the name of the program to the end of the sentence, or to
    /// the mark that closes what was opened before it. A text between quotation marks can contain any of these.
    private static var command: Regex<Substring> {
        /[`(]?(?:(?:clawradar|reference-gateway) [a-z]|openclaw (?:devices [a-z]|qr)|clawdbot devices [a-z]|systemctl [a-z\-])(?:"[^"]*"|'[^']*'|[^,;.`()"']|[.,;](?! |$))*[`)]?[.,;]?/
    }

    /// Returns whether a word is copied as a whole. Anything that is not ASCII could look like a line of its own where the
    /// terminal breaks it.
    private static func isAddressOrDigest(_ word: Substring) -> Bool {
        guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        let digits = word.prefix { $0.isHexDigit }
        return word.contains("://") || digits.count == 64 && word.count <= 65
    }

    /// Returns as much of a text as fits, at least one character: whole words if there are any.
    private static func beginning(of text: Substring, in cells: Int) -> Substring {
        var used = 0
        var end = text.startIndex
        var space: Substring.Index?
        for index in text.indices {
            used += DisplayWidth.of(text[index])
            guard used <= cells || index == text.startIndex else { break }
            if text[index] == " " { space = index }
            end = text.index(after: index)
        }
        return text[..<(space ?? end)]
    }
}
