internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Pairing
internal import Reports

/// `clawradar device`: shows the identity of this device, and changes its name or emoji.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Shows the identity of this device as gateways see it, renames it, and takes it to another one.",
        usage: "clawradar device [<options>]\n       clawradar device <subcommand>",
        discussion: """
            The identity is made once, with a key that signs for it. An OpenClaw gateway learns a new name at the next \
            session, any other one when it is paired with again.

            OpenClaw's gateways know this device by the OpenClaw id, a digest of that key. Every OptaPlus gateway knows \
            it by an id of its own, derived from the key, so that none can speak for it at another; only gateways that \
            were paired by earlier versions know the id that is shown.

            EXAMPLES:
              clawradar device
              clawradar device --name "Studio" --emoji 🎧
              clawradar device --emoji ""
              clawradar device copy ~/clawradar.age

            Exit status: 0; 64 if the command line is invalid, 69 if the store cannot be used.
            """,
        subcommands: [
            DeviceCopyCommand.self, DeviceMoveCommand.self, DeviceImportCommand.self, DeviceRestoreCommand.self,
        ]
    )

    @Option(help: "Its name, at most 64 bytes.")
    var name: String?

    @Option(help: "Its emoji; empty for none.")
    var emoji: String?

    @OptionGroup var format: ReportFormatOption

    func validate() throws {
        if let name, !DeviceIdentity.isName(name) {
            throw ValidationError("A name has 1 to 64 bytes and no invisible characters.")
        }
        if let emoji, !DeviceIdentity.isEmoji(emoji) {
            throw ValidationError("An emoji is one or two visible characters.")
        }
    }

    func run() async throws {
        let store = try StoreAccess.open()
        let emoji: String?? = emoji.map { $0.isEmpty ? nil : $0 }
        let local = InProcessRadar(store, version: CommandLineTool.version)
        let report = try await AgentOption.radar(else: local).device(name: name, emoji: emoji)
        if let problem = store.keyProblem { Notes.warning(problem.keySentence) }
        let width = StandardOutput().terminal?.columns
        try format.write(Self.text(report, width: width), DeviceDocument(report))
    }

    /// Returns a line for each fact of this device.
    ///
    /// - Parameter width: The width of the terminal in cells; `nil` if nothing needs to be broken.
    static func text(_ device: DeviceReport, width: Int? = nil) -> String {
        let rows = [
            ("name", DisplayText(device.name, limit: 64).text), ("emoji", DisplayText(device.emoji ?? "-").text),
            ("id", device.id), ("platform", device.platform), ("OpenClaw id", device.openClawID),
            ("last active", device.lastActive.map(TimeText.localDay) ?? "-"),
        ]
        return rows.flatMap { title, text in
            let padding = String(repeating: " ", count: 13 - title.count)
            return WrappedText.lines(title + padding + text, first: "", width: width)
        }
        .joined(separator: "\n")
    }
}
