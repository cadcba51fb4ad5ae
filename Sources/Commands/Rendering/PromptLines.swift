internal import Console
internal import DNSSD

/// The lines of a prompt, of two kinds: what this tool says, which is wrapped, and what a gateway says of itself, which is
/// quoted and cut to its line. Nothing that a gateway chose begins a line, or pushes another one off the screen.
struct PromptLines {
    /// The width of a terminal in which titles stand in a column of their own.
    private static let roomy = 60

    /// The most lines that a list of a gateway takes.
    private static let mostListLines = 6

    /// The width of the terminal in cells; `nil` if it is none, and nothing needs to be cut.
    let width: Int?

    private var isNarrow: Bool { (width ?? .max) < Self.roomy }

    /// Returns lines that this tool says.
    func own(_ title: String, _ text: String) -> [String] {
        let indent = isNarrow ? "    " : indent("  ")
        return WrappedText.lines(text, indent: indent, first: head("  ", title), width: room, isLive: true)
    }

    /// Returns the line with a text that a gateway chose.
    func theirs(_ title: String, _ text: String) -> String {
        let head = head("    ", title)
        return head + Self.quoted(text, in: room.map { $0 - DisplayWidth.of(head) })
    }

    /// Returns the lines with a list of texts that a gateway chose.
    func theirs(_ title: String, _ texts: [String]) -> [String] {
        let indent = isNarrow ? "      " : indent("    ")
        var lines = [head("    ", title)]
        var count = 0
        for text in texts {
            let quoted = Self.quoted(text, in: room.map { $0 - DisplayWidth.of(indent) - 1 })
            let isFirst = lines.count == 1 && count == 0
            let fits = room.map { DisplayWidth.of(lines[lines.count - 1]) + DisplayWidth.of(quoted) + 2 <= $0 } ?? true
            if isFirst && fits || !isFirst && fits {
                lines[lines.count - 1] += (count == 0 || lines[lines.count - 1] == indent ? "" : " ") + quoted
            } else {
                guard lines.count < Self.mostListLines else { break }
                lines.append(indent + quoted)
            }
            count += 1
            if count < texts.count { lines[lines.count - 1] += "," }
        }
        return count == texts.count ? lines : lines + ["\(indent)and \(texts.count - count) more"]
    }

    /// Returns a text that a gateway chose, cleaned, between quotation marks that it cannot contain, and cut.
    static func quoted(_ text: String, in cells: Int?) -> String {
        let shown = DisplayText(text, limit: 128).text
        return DisplayText.quoted(cells.map { DisplayWidth.fit(shown, in: max($0 - 2, 1)) } ?? shown)
    }

    /// A line that fills the last cell makes some terminals wrap.
    private var room: Int? { width.map { max($0 - 1, 20) } }

    private func indent(_ margin: String) -> String { margin + String(repeating: " ", count: 13) }

    private func head(_ margin: String, _ title: String) -> String {
        isNarrow ? "\(margin)\(title): " : margin + title + String(repeating: " ", count: max(13 - title.count, 1))
    }
}
