internal import DNSSD
internal import Glibc

/// Messages for people that are not results: lines on standard error.
package enum Notes {
    /// The name of the program that speaks.
    private static let program =
        CommandLine.arguments.first?.hasSuffix("reference-gateway") == true ? "reference-gateway" : "clawradar"

    /// Writes an error, after which the command ends.
    package static func error(_ message: String) { line("error: \(message)") }

    /// Writes a warning, after which the command continues.
    package static func warning(_ message: String) { line("warning: \(message)") }

    /// Writes a piece of information.
    package static func note(_ message: String) { line(message) }

    private static func line(_ message: String) {
        // Cleaned, because messages can quote names from the network.
        write("\(program): \(DisplayText(message, limit: 2_000))\n")
    }

    /// The width of the terminal that standard error is, in cells; `nil` if it is none.
    package static var columns: Int? {
        guard isatty(2) == 1 else { return nil }
        var size = winsize()
        return ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Writes a text unchanged. A failure is ignored, because there is no other place to report it.
    package static func write(_ text: String) {
        _ = StandardStreams.write(Array(text.utf8), to: 2)
    }
}
