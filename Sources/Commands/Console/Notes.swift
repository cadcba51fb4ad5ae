internal import DNSSD

/// Messages for people besides the results: lines on standard error.
enum Notes {
    /// Something went wrong, and the work ends.
    static func error(_ message: String) { line("error: \(message)") }

    /// Something is not as it should be, and the work goes on.
    static func warning(_ message: String) { line("warning: \(message)") }

    /// Something worth knowing.
    static func note(_ message: String) { line(message) }

    private static func line(_ message: String) {
        // Messages can quote names from the network.
        write("clawradar: \(DisplayText(message, limit: 2_000))\n")
    }

    /// Writes a text as it is. That it cannot be written cannot be told anybody.
    static func write(_ text: String) {
        _ = StandardStreams.write(Array(text.utf8), to: 2)
    }
}
