internal import ArgumentParser
internal import Console
internal import PairingStore
internal import Reports

/// `clawradar archive`: archives a paired bot, or takes it out of the archive.
struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Hides a paired bot from the lists; it stays paired.",
        usage: "clawradar archive <bot> [<options>]",
        discussion: """
            EXAMPLES:
              clawradar archive Friday
              clawradar archive --undo Friday

            Exit status: 0; 1 if no paired bot has this name, 64 if several have it, 69 if the store cannot be used.
            """
    )

    @OptionGroup var subject: PairedNameArgument

    @Flag(help: "Show it again.")
    var undo = false

    @OptionGroup var format: ReportFormatOption

    func run() async throws {
        let store = try StoreAccess.open()
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store.pairings() }
        let (pairing, bot) = try subject.name.bot(among: pairings)
        let changed = try CommandFailure.translating { () throws(StoreError) in
            try store.update(pairing.id) { pairing in
                guard let index = pairing.bots.firstIndex(where: { $0.id == bot.id }) else { return }
                pairing.bots[index].isArchived = !undo
            }
            return try store.pairing(pairing.id)
        }
        switch format.format {
        case .table:
            try StandardOutput().write(
                "\(undo ? "no longer archived" : "archived"): \(bot.label) of \(pairing.label)\n"
            )
        case .json: try StandardOutput().write(PairingDocument(PairingReport(changed ?? pairing)).line)
        }
    }
}
