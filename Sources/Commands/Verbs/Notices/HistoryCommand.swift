internal import Agent
internal import ArgumentParser
internal import Console
internal import Reports

/// `clawradar history`: when gateways did not answer, for how long, and why.
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows when gateways did not answer, for how long, and why.",
        usage: "clawradar history [<name>] [<options>]",
        discussion: """
            The agent keeps the history of the gateways that it watches (see `clawradar config --help`), for 90 days. A \
            time in which no agent ran, this host was asleep, or no network of it led to a gateway, is unknown, and \
            counts neither as answering nor as gone. The bar of each gateway runs from the beginning of the shown time to its end: \
            a part in which it did not answer, however shortly, is marked as gone.

            EXAMPLES:
              clawradar history
              clawradar history "Home Gateway" --since 24h
              clawradar history --format json | jq -r '.gateways[] | [.name, .uptimePercent] | @tsv'

            Exit status: 0; 1 if there is no history, or nothing has this name, 64 if several have it, 69 if the \
            history cannot be read.
            """
    )

    @Argument(help: "The name of a gateway, or its number; all if none is named.")
    var name: String?

    @Option(help: ArgumentHelp("Show what has happened in this time: 90s, 30m, 24h, 7d, 2w.", valueName: "time"))
    var since: LongTime = LongTime.week

    @OptionGroup var format: ReportFormatOption

    func run() async throws {
        let store = try NoticeStoreAccess.open()
        let known = KnownNames.stored()
        let now = Timestamp.now
        // What is not watched any more may have been away before the time that is shown. Whoever knows a gateway by the name
        // that the history has still means it.
        let key = try name.map { name throws(CommandFailure) in
            try NoticeStoreAccess.translating { () throws(NoticeStoreError) in
                try store.history(since: now.advanced(by: .milliseconds(-NoticeStore.retention)), now: now)
            }.key(of: name, known: known)
        }
        let start = now.advanced(by: .milliseconds(-since.milliseconds))
        let history = try await NoticeStoreAccess.ask(store) { radar throws(RadarError) in
            try await radar.history(since: start, of: key)
        }.history.named(known)
        let output = StandardOutput()
        switch format.format {
        case .json: try output.write(GatewayHistoryReport(history).line)
        case .table:
            let terminal = output.terminal
            let style = HistoryBar.Style.of(isTerminal: terminal != nil)
            try output.write(HistoryTable.text(history, width: terminal?.columns, style: style))
        }
    }
}
