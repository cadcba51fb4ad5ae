internal import ArgumentParser
internal import Console
internal import DNSSD
internal import PairingStore
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
        let store = try StoreAccess.open()
        let items = try CommandFailure.translating { () throws(StoreError) in try store.bin() }
        let shown = DisplayText(name.text, limit: 64).quoted
        let id = try name.pairing(
            among: items.map(\.pairing),
            absence: "nothing in the bin is called \(shown). `clawradar pairings --bin` shows what is there."
        ).id
        let revoked = items.first { $0.pairing.id == id && $0.reason.endsTokens }
        if let revoked {
            let successor = try CommandFailure.translating { () throws(StoreError) in
                try store.successor(of: revoked)
            }
            if let successor {
                throw CommandFailure(
                    .nothingFound,
                    "nothing was restored: its gateway opens nothing to its tokens any more, and \(successor.label) is "
                        + "paired with that gateway since."
                )
            }
        }
        let pairing = try CommandFailure.translating { () throws(StoreError) in
            try store.restore(id)
            return try store.pairing(id)
        }
        guard let pairing else { throw CommandFailure(.ourFault, "what was restored is not there") }
        switch format.format {
        case .table:
            try StandardOutput().write("restored: \(pairing.label)\n")
            if revoked != nil {
                Notes.note("its gateway opens nothing to its tokens any more: pair with it again to connect.")
            }
        case .json: try StandardOutput().write(PairingDocument(PairingReport(pairing)).line)
        }
    }
}
