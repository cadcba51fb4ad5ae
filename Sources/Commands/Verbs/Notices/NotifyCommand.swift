internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Reports

/// `clawradar notify`: the ways by which messages reach the user.
struct NotifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notify",
        abstract: "Adds and tries the ways by which the agent tells you of gateways.",
        usage: "clawradar notify <subcommand>",
        discussion: """
            The agent tells you when a gateway stops answering, and when it is back, by the sinks that the configuration \
            names: see `clawradar config --help`.

            EXAMPLES:
              clawradar notify add phone --ntfy ~/ntfy-url
              clawradar notify test
              clawradar notify test phone
            """,
        subcommands: [NotifyAddCommand.self, NotifyTestCommand.self]
    )
}

/// `clawradar notify test`: sends a message, and shows the answer.
struct NotifyTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Sends a message by each sink, and shows the answer.",
        usage: "clawradar notify test [<sink>]",
        discussion: """
            It runs with the rights of your shell. An agent that systemd runs has fewer: programs that rely on a setuid or \
            setgid bit, such as many a sendmail, work here and not there.

            EXAMPLES:
              clawradar notify test
              clawradar notify test phone

            Exit status: 0 if every message was taken, 1 if one was not or there is no such sink, 64 if the \
            configuration is invalid.
            """
    )

    @Argument(help: "The name of a sink; all of them if none is named.")
    var sink: String?

    /// Returns the answer of a sink.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be broken.
    static func text(_ sink: String, _ answer: String, width: Int?) -> String {
        WrappedText.lines(DisplayText(sentence: answer).text, first: "\(sink)  ", width: width).map { $0 + "\n" }
            .joined()
    }

    func run() async throws {
        let settings: Settings
        do throws(ConfigurationError) {
            settings = try SettingsReader(advertised: []).settings(warn: SettingsReader.noteWhatIsLeftOut)
        } catch {
            throw CommandFailure.misconfigured(error)
        }
        let all = settings.notify.value.sinks
        let sinks = all.filter { sink == nil || $0.name == sink }
        guard !sinks.isEmpty else {
            let known = all.isEmpty ? "none is configured" : "there are \(all.map(\.name).joined(separator: ", "))"
            throw CommandFailure(.nothingFound, "there is no such sink: \(known). See `clawradar notify add --help`.")
        }
        let message = WaitingMessage(Notice(.test, [], at: .now))
        var failed: [String] = []
        for sink in sinks {
            let outcome = await SinkDelivery.deliver(message, to: sink)
            let words: String
            switch outcome {
            case .delivered(let answer): words = "taken: \(answer)"
            case .failed(let reason, _), .refused(let reason):
                failed.append(sink.name)
                words = "not taken: \(reason)"
            }
            let output = StandardOutput()
            try output.write(Self.text(sink.name, words, width: output.terminal?.columns))
        }
        guard failed.isEmpty else {
            throw CommandFailure(.nothingFound, "\(failed.count) of \(sinks.count) did not take the message.")
        }
    }
}
