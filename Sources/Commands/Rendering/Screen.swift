internal import Synchronization

/// The text that is sent to a terminal to show a picture that takes all of it.
///
/// It is drawn on the alternate screen, always from the top left: whatever a resize, a key or a stopped job has done to
/// it is gone with the next frame, and what the user had on the screen before comes back in the end.
enum Screen {
    /// Begins to use the alternate screen.
    static let enter = "\u{1B}[?1049h"

    /// Goes back to what was there before.
    static let leave = "\u{1B}[?1049l"

    /// Indicates whether the alternate screen is in use.
    static let isEntered = Atomic(false)

    /// Gives the user the terminal back, if that takes no time: the process is about to end, whatever it is doing.
    static func leaveAtOnce() {
        if isEntered.load(ordering: .relaxed) { StandardStreams.writeAtOnce(Array(leave.utf8), to: 1) }
    }

    /// Draws a picture over the former one. Terminals that know how show it all at once.
    static func frame(_ lines: [String]) -> String {
        "\u{1B}[?2026h\u{1B}[H" + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n") + "\u{1B}[J\u{1B}[?2026l"
    }
}

/// Colours and weights of a terminal, or none.
struct Style: Sendable {
    let isOn: Bool

    func dim(_ text: String) -> String { styled(text, "2") }
    func bold(_ text: String) -> String { styled(text, "1") }
    func green(_ text: String) -> String { styled(text, "32") }
    func yellow(_ text: String) -> String { styled(text, "33") }

    private func styled(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
