internal import Agent
internal import ArgumentParser
internal import Pairing
internal import Reports

/// `clawradar forget`: ends a pairing on this device only, without informing the gateway.
struct ForgetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Ends a pairing on this device only; the gateway is not informed.",
        usage: "clawradar forget <name> [<options>]",
        discussion: """
            For a gateway that no longer exists, or that should not be informed. It would still accept the \
            credentials of this device: `clawradar unpair` withdraws them. The pairing stays in the bin for 30 days.

            EXAMPLES:
              clawradar forget "Home Gateway"
              clawradar forget 3fa2b1c0 --yes

            Exit status: 0; 1 if nothing has this name, 64 if several have it or there is nobody to ask for \
            confirmation, 69 if the store cannot be used, 130 if it was cancelled.
            """
    )

    @OptionGroup var subject: PairedNameArgument
    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var format: ReportFormatOption

    func run() async throws {
        let local = try StoreAccess.radar()
        let pairing = try subject.name.gateway(among: try await local.pairings())
        try await confirmation.confirm("Forget it, without telling the gateway?", ["gateway \(pairing.label)"])
        let forgotten = try await AgentOption.radar(else: local).forget(pairing.id)
        try format.write(UnpairingText.text(.notInformed, pairing.label, pairing), forgotten)
    }
}
