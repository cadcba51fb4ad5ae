internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import HostSystem
internal import Reports
internal import SystemPackage

/// `clawradar notify add`: writes a sink into the configuration.
struct NotifyAddCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a way by which the agent tells you, to the configuration.",
        usage: "clawradar notify add <name> (--ntfy <url> | --desktop | …) [<options>]",
        discussion: """
            Writes the sink into the file that `clawradar config` shows, and leaves all else in it as it is. A file that \
            does not exist is made. Where the file is written in a way that has no safe place for it, nothing is \
            written, and the message says what to add.

            The address of a webhook is often a secret. In place of it, name a file that contains it and that only you \
            can read: others can see the arguments of a command while it runs, and your shell keeps them.

            EXAMPLES:
              clawradar notify add phone --ntfy ~/ntfy-url
              clawradar notify add phone --ntfy https://ntfy.sh/a-topic-that-nobody-guesses
              clawradar notify add team --slack ~/slack-url
              clawradar notify add desk --desktop
              clawradar notify add post --mail me@example.org
              clawradar notify add log --exec /usr/local/bin/tell --urgent

            Exit status: 0; 64 if the configuration or the sink is wrong, or there is one of this name; 69 if the file \
            cannot be written, or is to be edited by hand.
            """
    )

    @Argument(help: "The name of the new sink: 1 to 32 letters, digits, - and _.")
    var name: String

    @Option(help: ArgumentHelp("Tell by ntfy: the address of a topic, or a file with it.", valueName: "url"))
    var ntfy: String?

    @Option(
        help: ArgumentHelp(
            "Tell in a channel of Slack: the address of its webhook, or a file with it.",
            valueName: "url"
        )
    )
    var slack: String?

    @Option(
        help: ArgumentHelp(
            "Tell in a channel of Discord: the address of its webhook, or a file with it.",
            valueName: "url"
        )
    )
    var discord: String?

    @Option(
        help: ArgumentHelp("Tell Home Assistant: the address of a webhook of it, or a file with it.", valueName: "url")
    )
    var homeAssistant: String?

    @Option(help: ArgumentHelp("Send JSON to a web server: its address, or a file with it.", valueName: "url"))
    var webhook: String?

    @Flag(help: "Show it on your desktop.")
    var desktop = false

    @Option(help: ArgumentHelp("Send a mail to this address.", valueName: "address"))
    var mail: String?

    @Option(
        parsing: .remaining,
        help: ArgumentHelp("Run a program with these arguments; nothing can follow it.", valueName: "program"),
        completion: .file()
    )
    var exec: [String] = []

    @Option(
        help: ArgumentHelp("A file with a token, which is sent with the message of a webhook.", valueName: "file"),
        completion: .file()
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp("A file with the certificates to trust for a webhook, as PEM.", valueName: "file"),
        completion: .file()
    )
    var caFile: String?

    /// The webhooks, each with its form in the configuration.
    private var webhooks: [(form: String, place: String)] {
        [
            ("ntfy", ntfy), ("slack", slack), ("discord", discord), ("home-assistant", homeAssistant),
            ("json", webhook),
        ]
        .compactMap { form, place in place.map { (form, $0) } }
    }

    func validate() throws {
        let kinds = webhooks.count + (desktop ? 1 : 0) + (mail == nil ? 0 : 1) + (exec.isEmpty ? 0 : 1)
        guard kinds == 1 else {
            throw ValidationError(
                "Expected one of --ntfy, --slack, --discord, --home-assistant, --webhook, --desktop, --mail and --exec, "
                    + "found \(kinds == 0 ? "none" : "several")."
            )
        }
    }

    /// Returns the sink as it is to stand in the configuration.
    ///
    /// - Parameters:
    ///   - folder: The folder in which relative paths begin.
    ///   - hidesAddress: Indicates whether the address of a webhook is left out, for a message.
    private func draft(in folder: String = Environment.workingFolder ?? "/", hidesAddress: Bool = false) -> SinkDraft {
        func path(_ text: String) -> String {
            SinkDraft.quoted(FilePath(folder).pushing(FilePath(text)).lexicallyNormalized().string)
        }
        var keys: [(key: String, text: String)] = webhooks.flatMap { form, place in
            let isURL = Self.isURL(place)
            let address = (
                isURL ? "webhook" : "webhook-file", isURL ? SinkDraft.quoted(hidesAddress ? "…" : place) : path(place)
            )
            return form == "json" ? [address] : [address, ("form", form)]
        }
        if desktop { keys.append(("desktop", "true")) }
        if let mail { keys.append(("mail", SinkDraft.quoted(mail))) }
        // As it is: what is relative is refused, as in the file, and the arguments of a program need not be paths.
        if !exec.isEmpty { keys.append(("exec", "[\(exec.map(SinkDraft.quoted).joined(separator: ", "))]")) }
        if let tokenFile { keys.append(("token-file", path(tokenFile))) }
        if let caFile { keys.append(("ca-file", path(caFile))) }
        return SinkDraft(name: name, keys)
    }

    /// Returns the text of the sink in the configuration.
    func entry(in folder: String = Environment.workingFolder ?? "/", hidesAddress: Bool = false) -> String {
        draft(in: folder, hidesAddress: hidesAddress).entry
    }

    private static func isURL(_ text: String) -> Bool { text.contains("://") }

    func run() throws {
        let environment = Environment.values(of: ConfigurationFile.variables)
        guard let file = ConfigurationFile(environment: environment) else {
            throw CommandFailure(.unavailable, "there is no home directory, so that there is no place for the file")
        }
        guard !webhooks.contains(where: { Self.isURL($0.place) }) || file.stamp?.isOpenToOthers != true else {
            throw CommandFailure(
                .unavailable,
                "\(file.path): others can read it, and the address of a webhook is a secret. Give a file with the address"
                    + (ShellWord(path: file.path).map { ", or run: chmod 600 \($0)" } ?? "")
            )
        }
        let sink: NoticeSink
        do throws(SinkAdditionError) {
            sink = try file.add(draft())
        } catch {
            throw failure(error, file)
        }
        var settings = NoticeSettings()
        settings.sinks = [sink]
        for doubt in settings.missingFiles { Notes.warning("notify, \(doubt)") }
        let path = DisplayText(file.path, limit: 400)
        try StandardOutput().write(
            "\(sink.name) is in \(path): \(DisplayText(sink.summary, limit: 400))\n"
                + "an agent that runs takes it up by itself\n"
        )
        Notes.write("next: clawradar notify test \(sink.name)\n")
    }

    private func failure(_ error: SinkAdditionError, _ file: ConfigurationFile) -> CommandFailure {
        func byHand(_ reason: String) -> CommandFailure {
            // Messages can be kept where others read them.
            let entry = entry(hidesAddress: true)
            return CommandFailure(
                .unavailable,
                "\(reason). Nothing is written. Add this to the list “sinks” of “notify” in it: - \(entry)"
            )
        }
        switch error {
        case .wrongFile(let error): return .misconfigured(error)
        case .wrongSink(let problems):
            for problem in problems.dropLast() { Notes.error(problem.description) }
            return CommandFailure(.usage, problems.last?.description ?? "")
        case .notEdited(let reason): return byHand("\(file.path): \(reason)")
        case .notWritten(let error): return byHand("\(error.path): expected \(error.expected), found \(error.found)")
        }
    }
}
