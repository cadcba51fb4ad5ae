internal import ArgumentParser
internal import Logging

/// What every verb understands.
struct CommonOptions: ParsableArguments {
    @Flag(help: "Tell on standard error what happens underneath.")
    var verbose = false

    /// Where log lines go; `nil` when nobody wants them.
    var logger: Logger? {
        verbose ? Logger(label: "clawradar") { _ in ToolLogHandler() } : nil
    }
}
