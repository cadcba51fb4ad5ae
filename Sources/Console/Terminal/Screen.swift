package import Synchronization

/// The control sequences that show a full-screen picture on a terminal.
///
/// The picture is drawn on the alternate screen, always from the top left. So the next frame repairs whatever a resize,
/// a key or a stopped job has done to the picture, and in the end the terminal shows its previous content again.
package enum Screen {
    /// The sequence that switches to the alternate screen.
    package static let enter = "\u{1B}[?1049h"

    /// The sequence that switches back to the normal screen.
    package static let leave = "\u{1B}[?1049l"

    /// Indicates whether the alternate screen is in use.
    package static let isEntered = Atomic(false)

    /// Switches back to the normal screen if that is possible without waiting, because the process is about to end.
    static func leaveAtOnce() {
        if isEntered.load(ordering: .relaxed) { StandardStreams.writeAtOnce(Array(leave.utf8), to: 1) }
    }

    /// Returns as many rows of a table as there is room for. A row is shown with all its lines or not at all, and the last line
    /// counts those that are not; only of a first one that is longer than the screen is the beginning shown.
    ///
    /// - Parameters:
    ///   - rows: The lines of each row.
    ///   - titles: The line above them; `nil` if the rows have their own.
    ///   - more: The number of further rows.
    ///   - height: The number of lines that there is room for.
    package static func lines(_ rows: [[String]], below titles: String? = nil, more: Int = 0, height: Int) -> [String] {
        var lines = [titles].compactMap(\.self)
        func rest(_ count: Int) -> String { "… and \(count) more; make the window larger" }
        for (index, row) in rows.enumerated() {
            let left = rows.count - index + more
            guard lines.count + row.count + (left == 1 ? 0 : 1) <= height else {
                if index == 0 { lines += row.prefix(max(height - 1 - lines.count, 0)) }
                return lines + [rest(left)]
            }
            lines += row
        }
        return more > 0 ? lines + [rest(more)] : lines
    }

    /// Returns a picture of at most `height` lines, for which there are at least two more than the foot has: a table, its foot,
    /// and an empty line between them where there is room for it.
    ///
    /// - Parameter table: Returns the table for the number of lines that there is room for.
    package static func picture(foot: [String], height: Int, table: (Int) -> [String]) -> [String] {
        let gap = height > foot.count + 2 ? [""] : []
        return table(max(height - foot.count - gap.count, 2)) + gap + foot
    }

    /// Returns the sequence that draws a picture over the previous one. Terminals with synchronized output show it all
    /// at once.
    package static func frame(_ lines: [String]) -> String {
        "\u{1B}[?2026h\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J\u{1B}[?2026l"
    }
}

/// The colours and weights of text on a terminal, if they are turned on.
package struct Style: Sendable {
    let isOn: Bool

    package init(isOn: Bool) {
        self.isOn = isOn
    }

    package func dim(_ text: String) -> String { styled(text, "2") }
    package func bold(_ text: String) -> String { styled(text, "1") }
    package func red(_ text: String) -> String { styled(text, "31") }
    package func green(_ text: String) -> String { styled(text, "32") }
    package func yellow(_ text: String) -> String { styled(text, "33") }

    private func styled(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
