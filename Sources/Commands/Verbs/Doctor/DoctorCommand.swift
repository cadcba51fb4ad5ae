internal import ArgumentParser
internal import Console
internal import Reports

/// `clawradar doctor`: says why a gateway cannot be used.
struct DoctorCommand: AsyncParsableCommand, AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Says why a gateway cannot be used, and what to do about it.",
        usage: "clawradar doctor <gateway> [<options>]",
        discussion: """
            Looks for the gateway as `clawradar scan` does, asks every place at which it is or was, and opens a session \
            with it if it is paired and no other process has one. For each cause it prints one sentence and the one \
            command that helps; a gateway that can be used is shown with its ways and their round-trip times. If `clawradar \
            agent` runs, it is asked about a gateway that it knows by this name.

            Most is seen on the gateway's own host: there it also says whether the program listens on loopback alone. \
            All causes are in docs/doctor.md.

            EXAMPLES:
              clawradar doctor "Home Gateway"
              clawradar doctor 192.168.1.50:18789
              clawradar doctor wss://studio.local:18789 --format json | jq -r '.findings[].command'

            Exit status: 0 if it can be used, 1 if a cause was found, 64 if the command line or the configuration is \
            invalid or several gateways have the name, 69 if the store cannot be used, 130 if it was cancelled.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The name of a gateway or bot, paired or not, or an address as for probe.",
            valueName: "gateway"
        ),
        completion: .custom(StoreAccess.completions),
        transform: { try ProbeSubject($0) }
    )
    var subject: ProbeSubject

    @Option(
        help: .time("The maximum duration", default: "6"),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 6)

    @OptionGroup var format: ReportFormatOption
    @OptionGroup var agent: AgentOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let progress = format.format == .table && !common.verbose ? ProgressLine() : nil
        let inquiry = DoctorInquiry(
            subject: subject,
            timeout: timeout,
            common: common,
            progress: progress,
            agent: agent,
            isUsual: isUsual
        )
        let diagnosis = try await inquiry.diagnosis()
        let output = StandardOutput()
        switch format.format {
        case .table: try output.write(DiagnosisText.text(diagnosis, width: output.terminal?.columns))
        case .json: try output.write(diagnosis.line)
        }
        guard !diagnosis.findings.isEmpty else { return }
        throw ExitCode.nothingFound
    }
}
