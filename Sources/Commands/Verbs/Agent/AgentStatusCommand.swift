internal import Agent
internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import Pairing

/// `clawradar agent status`: how the agent of this user does.
struct AgentStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows what each part of the running agent does, and why it does not.",
        usage: "clawradar agent status [<options>]",
        discussion: """
            The states of a part: starting, running, impaired (it works as far as it can), waiting (it has ended, and \
            runs again), stopped.

            EXAMPLES:
              clawradar agent status
              clawradar agent status --format json | jq -r '.agent.parts[] | select(.state != "running").reason'

            Exit status: 0; 1 if no agent of this user runs, 69 if it does not answer.
            """
    )

    @OptionGroup var format: ReportFormatOption

    /// The time that the history has to say what is not told.
    private static let timeout = Duration.seconds(1)

    private static var folder: String? { (try? StoreLocation.standard())?.folder }

    private static var configurationFile: String? {
        ConfigurationFile(environment: Environment.values(of: ConfigurationFile.variables))?.path
    }

    func run() async throws {
        let answer: AgentAnswer
        do throws(AgentClientError) {
            answer = try AgentOption.client.ask("GET", "/api/v1/status")
        } catch {
            throw error == .absent
                ? CommandFailure(.nothingFound, "no agent of this user runs. `clawradar agent` runs one.")
                : CommandFailure(.unavailable, "\(error)")
        }
        guard answer.status == 200, let document = answer.document, let agent = document["agent"] else {
            throw CommandFailure(.unavailable, "the agent has no answer: \(answer.status)")
        }
        let output = StandardOutput()
        switch format.format {
        case .json: try output.write(bytes: answer.body)
        case .table:
            let width = output.terminal?.columns
            try output.write(AgentTable.text(agent, width: width))
            for line in AgentTable.differences(agent, folder: Self.folder, configuration: Self.configurationFile) {
                Notes.warning(line)
            }
            // Not before: what has to be read for that may hang.
            try output.write(SilenceText.text(await SilenceText.lines(within: Self.timeout), width: width))
        }
    }
}
