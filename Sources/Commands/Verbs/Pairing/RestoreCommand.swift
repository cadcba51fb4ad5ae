internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Pairing
internal import Reports

/// `clawradar restore`: takes a pairing out of the bin.
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Takes a pairing out of the bin.",
        usage: "clawradar restore <name> [<options>]",
        discussion: """
            `clawradar pairings --bin` lists the bin. Credentials that the gateway has withdrawn no longer work: pair \
            again.

            EXAMPLES:
              clawradar restore "Home Gateway"
              clawradar restore 3fa2b1c0

            Exit status: 0; 1 if nothing in the bin has this name, or what has it is of no use any more, 64 if several \
            have it, 69 if the store cannot be used.
            """
    )

    @Argument(
        help: ArgumentHelp("Name or identifier of a pairing in the bin, or its beginning.", valueName: "name"),
        completion: .custom(StoreAccess.completions),
        transform: { try PairedName($0) }
    )
    var name: PairedName

    @OptionGroup var format: ReportFormatOption

    func run() async throws {
        let local = try StoreAccess.radar()
        let items = try await local.bin()
        let shown = DisplayText(name.text, limit: 64).quoted
        let pairing = try name.pairing(
            among: items.map(\.pairing),
            absence: "nothing in the bin is called \(shown). `clawradar pairings --bin` shows what is there."
        )
        let restored = try await AgentOption.radar(else: local).restore(pairing.id)
        try format.write("restored: \(pairing.label)", restored)
        if format.format == .table, items.contains(where: { $0.pairing.id == pairing.id && $0.reason.endsTokens }) {
            Notes.note("its gateway opens nothing to its tokens any more: pair with it again to connect.")
        }
    }
}
