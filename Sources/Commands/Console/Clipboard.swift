internal import HostSystem

/// The clipboard of this user's desktop, read once through the program that the desktop has for it.
enum Clipboard {
    /// The most bytes that are read: no link and no code is longer.
    private static let limit = 16_384

    /// The time that the program has.
    private static let time = Duration.seconds(3)

    /// The programs, the likelier one first: each prints the clipboard as it is.
    private static let programs = [
        ("WAYLAND_DISPLAY", ["wl-paste", "--no-newline", "--type", "text"]),
        ("DISPLAY", ["xclip", "-selection", "clipboard", "-out"]),
    ]

    /// Returns the text of the clipboard. It may be a secret, and is not shown.
    static func read() throws(CommandFailure) -> String {
        let wanted = programs.filter { variable, _ in
            Environment.values(of: [variable])[variable].map { !$0.isEmpty } ?? false
        }
        guard !wanted.isEmpty else {
            throw CommandFailure(
                .unavailable,
                "no desktop is there whose clipboard could be read. Give the link, or - ."
            )
        }
        for (_, command) in wanted {
            guard let bytes = output(of: command) else { continue }
            guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
                throw CommandFailure(.unavailable, "the clipboard: expected a link or a code, found no text.")
            }
            return text
        }
        let names = wanted.map { $0.1[0] }.joined(separator: " or ")
        throw CommandFailure(
            .unavailable,
            "the clipboard could not be read: \(names) is needed for that, and was not found."
        )
    }

    /// Runs a program, and returns what it prints; `nil` if it cannot be run, fails, takes too long or prints too much.
    private static func output(of command: [String]) -> [UInt8]? {
        let run = ProgramRun(command, timeout: time, outputLimit: limit + 1, keepsErrors: false)
        let (end, output) = run.run()
        guard end == .exit(0), output.count <= limit else { return nil }
        return output
    }
}
