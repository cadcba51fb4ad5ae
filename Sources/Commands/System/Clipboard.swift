internal import Console
internal import HostSystem
internal import SystemPackage

/// The clipboard of this user's desktop, read once through the program that the desktop has for it.
enum Clipboard {
    /// The most bytes that are read: no link and no code is longer.
    private static let limit = 16_384

    /// The time that the program has.
    private static let timeout = Duration.seconds(3)

    /// A program that prints the clipboard as it is.
    private struct Reader {
        /// The variable that a desktop sets whose clipboard it reads.
        let variable: String
        let command: [String]
        /// The Debian package that has it.
        let package: String
    }

    /// The programs, the likelier one first.
    private static let readers = [
        Reader(
            variable: "WAYLAND_DISPLAY",
            command: ["wl-paste", "--no-newline", "--type", "text"],
            package: "wl-clipboard"
        ),
        Reader(variable: "DISPLAY", command: ["xclip", "-selection", "clipboard", "-out"], package: "xclip"),
    ]

    /// Returns the text of the clipboard. It may be a secret, and is not shown.
    static func read() throws(CommandFailure) -> String {
        let wanted = readers.filter { reader in
            Environment.values(of: [reader.variable])[reader.variable].map { !$0.isEmpty } ?? false
        }
        guard !wanted.isEmpty else {
            throw CommandFailure(
                .unavailable,
                "no desktop is there whose clipboard could be read. Give the link, or - ."
            )
        }
        var problems: [String] = []
        for reader in wanted {
            let run = ProgramRun(reader.command, timeout: timeout, outputLimit: limit + 1, keepsErrors: false)
            let (end, output) = run.run()
            if let problem = problem(end, output.count) {
                let package = problem == notFound ? " (it is in the package \(reader.package))" : ""
                problems.append("\(reader.command[0]) \(problem)\(package)")
                continue
            }
            guard let text = String(validating: output, as: UTF8.self), !text.isEmpty else {
                throw CommandFailure(.unavailable, "the clipboard: expected a link or a code, found no text.")
            }
            return text
        }
        throw CommandFailure(.unavailable, "the clipboard could not be read: \(problems.joined(separator: "; ")).")
    }

    private static let notFound = "was not found"

    /// Returns the reason why a program has read nothing, as the rest of a sentence; `nil` if it has.
    private static func problem(_ end: ProgramRun.End, _ count: Int) -> String? {
        // It is ended once nobody takes any more of it, which is no fault of its own.
        guard count <= limit else { return "prints more than the \(limit >> 10) KiB that a link or code can have" }
        switch end {
        case .exit(0): return nil
        // Both programs end like this in each of these cases.
        case .exit(1): return "has given no text (exit status 1): it is empty, has something else, or cannot be reached"
        case .exit(let status): return "has failed (exit status \(status))"
        case .signal(let signal): return "was ended by signal \(signal)"
        case .timedOut: return "has not answered in \(timeout.components.seconds) s"
        case .stopped: return "was stopped"
        case .failed(let reason):
            return reason == "\(Errno.noSuchFileOrDirectory)" ? notFound : "cannot be run: \(reason)"
        }
    }
}
