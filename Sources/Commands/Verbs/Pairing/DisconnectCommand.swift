internal import ArgumentParser
internal import Console
internal import PairingStore
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
        let store = try StoreAccess.open()
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store.pairings() }
        let pairing = try subject.name.pairing(among: pairings)
        let changed = try CommandFailure.translating { () throws(StoreError) in
            try store.update(pairing.id) { $0.connectsAutomatically = false }
            return try store.pairing(pairing.id)
        }
        switch format.format {
        case .table:
            try StandardOutput().write(
                "\(pairing.label) is not connected to until: clawradar connect \(pairing.word)\n"
            )
        case .json: try StandardOutput().write(PairingDocument(PairingReport(changed ?? pairing)).line)
        }
    }
}
