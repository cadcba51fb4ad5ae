internal import Synchronization

/// The control sequences that show a full-screen picture on a terminal.
///
/// The picture is drawn on the alternate screen, always from the top left. So the next frame repairs whatever a resize,
/// a key or a stopped job has done to the picture, and in the end the terminal shows its previous content again.
enum Screen {
    /// The sequence that switches to the alternate screen.
    static let enter = "\u{1B}[?1049h"

    /// The sequence that switches back to the normal screen.
    static let leave = "\u{1B}[?1049l"

    /// Indicates whether the alternate screen is in use.
    static let isEntered = Atomic(false)

    /// Switches back to the normal screen if that is possible without waiting, because the process is about to end.
    static func leaveAtOnce() {
        if isEntered.load(ordering: .relaxed) { StandardStreams.writeAtOnce(Array(leave.utf8), to: 1) }
    }

    /// Returns the sequence that draws a picture over the previous one. Terminals with synchronized output show it all
    /// at once.
    static func frame(_ lines: [String]) -> String {
        "\u{1B}[?2026h\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J\u{1B}[?2026l"
    }
}

/// The colours and weights of text on a terminal, if they are turned on.
struct Style: Sendable {
    let isOn: Bool

    func dim(_ text: String) -> String { styled(text, "2") }
    func bold(_ text: String) -> String { styled(text, "1") }
    func red(_ text: String) -> String { styled(text, "31") }
    func green(_ text: String) -> String { styled(text, "32") }
    func yellow(_ text: String) -> String { styled(text, "33") }

    private func styled(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
