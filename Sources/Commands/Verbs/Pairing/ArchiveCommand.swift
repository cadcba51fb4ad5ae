internal import Agent
internal import ArgumentParser
internal import Pairing
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
        let local = try StoreAccess.radar()
        let (pairing, bot) = try subject.name.bot(among: try await local.pairings())
        let changed = try await AgentOption.radar(else: local).archive(bot.id, of: pairing.id, !undo)
        try format.write("\(undo ? "no longer archived" : "archived"): \(bot.label) of \(pairing.label)", changed)
    }
}
