internal import Agent
internal import ArgumentParser
internal import Pairing
internal import Reports

/// `clawradar accent`: gives a paired bot a colour.
struct AccentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accent",
        abstract: "Gives a paired bot a colour of yours, in which the page shows it.",
        usage: "clawradar accent <bot> <color> [<options>]",
        discussion: """
            EXAMPLES:
              clawradar accent Friday ff8800
              clawradar accent Friday none

            Exit status: 0; 1 if no paired bot has this name, 64 if several have it or this is no colour, 69 if the store \
            cannot be used.
            """
    )

    @OptionGroup var subject: PairedNameArgument

    @Argument(help: "Six hexadecimal digits for red, green and blue; none for no colour.")
    var color: String

    @OptionGroup var format: ReportFormatOption

    func validate() throws {
        guard color == "none" || StoredBot.accentColor(color) != nil else {
            throw ValidationError("Give six hexadecimal digits for red, green and blue, such as ff8800, or none.")
        }
    }

    func run() async throws {
        let local = try StoreAccess.radar()
        let (pairing, bot) = try subject.name.bot(among: try await local.pairings())
        let color = color == "none" ? nil : color
        let changed = try await AgentOption.radar(else: local).accent(bot.id, of: pairing.id, color)
        try format.write("\(color == nil ? "no colour" : "coloured"): \(bot.label) of \(pairing.label)", changed)
    }
}
