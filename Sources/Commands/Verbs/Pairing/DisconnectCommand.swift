internal import Agent
internal import ArgumentParser
internal import Pairing
internal import Reports

/// `clawradar disconnect`: ends the session with a gateway, until `clawradar connect` names it again.
struct DisconnectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disconnect",
        abstract: "Ends the session with a gateway until it is connected again by name.",
        usage: "clawradar disconnect <name> [<options>]",
        discussion: """
            This is remembered: a running `clawradar connect` ends the session, and the next one does not begin it. \
            The pairing stays. `clawradar connect NAME` undoes it.

            EXAMPLES:
              clawradar disconnect "Home Gateway"

            Exit status: 0; 1 if nothing has this name, 64 if several have it, 69 if the store cannot be used.
            """
    )

    @OptionGroup var subject: PairedNameArgument
    @OptionGroup var format: ReportFormatOption

    func run() async throws {
        let local = try StoreAccess.radar()
        let pairing = try subject.name.pairing(among: try await local.pairings())
        let changed = try await AgentOption.radar(else: local).connect(pairing.id, false)
        try format.write("\(pairing.label) is not connected to until: clawradar connect \(pairing.word)", changed)
    }
}
