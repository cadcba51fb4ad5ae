internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Pairing
internal import Reports
internal import SystemPackage

/// `clawradar migrate`: imports the older configuration of bots.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Imports the bots of an older configuration, with their tokens.",
        usage: "clawradar migrate <file> [<options>]",
        discussion: """
            The file is a JSON list of bots: id, name, host, port, token, connectionMethod (lan, manual or tunnel), \
            isEnabled, accentColor. Other keys are ignored. Bots at one address become one pairing. A bot that cannot be read is \
            listed with its line, and the others are imported. What was imported before stays as it is.

            A token is sent to nobody before there is trust. The host of a tunnel, or of a wss:// address, proves \
            itself by a certificate for its name that this system trusts: it is connected by itself. Every other \
            gateway awaits trust: it is asked who it is and listed, and you trust all that are listed, or one after \
            the other, or none. Without a terminal, or later: `clawradar trust NAME`. A bot that is not enabled is \
            connected only by `clawradar connect NAME`.

            EXAMPLES:
              clawradar migrate bots.json
              clawradar migrate bots.json && clawradar connect

            Exit status: 0; 1 if bots were left out, 64 if the command line is invalid, 69 if the file or the store \
            cannot be used, 130 if it was cancelled; what was imported stays.
            """
    )

    @Argument(help: ArgumentHelp("The older configuration.", valueName: "file"), completion: .file())
    var file: String

    @OptionGroup var format: ReportFormatOption
    @OptionGroup var diagnostics: DiagnosticsOption

    /// The result of an import, as outsiders read it.
    private struct MigrationDocument: JSONReport {
        let newBots: Int
        let knownBots: Int
        let refused: [OlderBotList.Refused]
        let pairings: [StoredPairing]

        var fields: [String: JSONValue] {
            [
                "newBots": JSONValue(integerLiteral: newBots),
                "knownBots": JSONValue(integerLiteral: knownBots),
                "refused": .array(
                    refused.map { .object(["line": JSONValue(integerLiteral: $0.line), "reason": .string($0.reason)]) }
                ),
                "pairings": .array(pairings.map { PairingReport($0).json }),
            ]
        }
    }

    func run() async throws {
        let list = try read()
        let store = try StoreAccess.open()
        if let problem = store.keyProblem { throw CommandFailure(problem) }
        let (migration, leftOut) = try CommandFailure.translating { () throws(StoreError) in
            let bin = try store.bin()
            let live = try store.pairings().flatMap(\.credentials)
            let migration = BotMigration(
                list.bots,
                known: Set((live + bin.flatMap(\.pairing.credentials)).map(\.id)),
                binned: Set(bin.filter(\.isWhole).map(\.pairing.id)),
                at: Timestamp.now.milliseconds
            )
            return (migration, try store.insert(migration))
        }
        let refused = (list.refused + leftOut).sorted { $0.line < $1.line }
        for entry in refused {
            Notes.warning("\(DisplayText(file, limit: 256)), line \(entry.line): left out: \(entry.reason).")
        }
        let newBots = migration.newBots - leftOut.count
        Notes.note(Self.summary(newBots, known: migration.knownBots, leftOut: refused.count))
        let awaiting = try pairings(of: migration, in: store).filter(\.awaitsTrust)
        if !awaiting.isEmpty {
            try await settle(awaiting, InProcessRadar(store, version: CommandLineTool.version, diagnostics.logger))
        }
        let output = StandardOutput()
        let pairings = try pairings(of: migration, in: store)
        switch format.format {
        case .table: try output.write(PairingTable.text(pairings, width: output.terminal?.columns))
        case .json:
            let document = MigrationDocument(
                newBots: newBots,
                knownBots: migration.knownBots,
                refused: refused,
                pairings: pairings
            )
            try output.write(document.line)
        }
        if !refused.isEmpty { throw ExitCode.nothingFound }
    }

    private func read() throws(CommandFailure) -> OlderBotList {
        let content: (bytes: [UInt8], isOpenToOthers: Bool)?
        do throws(SafeFileError) {
            content = try SafeFile(path: FilePath(file)).readForeign(limit: OlderBotList.maximumBytes)
        } catch {
            throw CommandFailure(.unavailable, error.description)
        }
        let shown = DisplayText(file, limit: 256)
        guard let content else { throw CommandFailure(.unavailable, "\(shown): expected a file, found none.") }
        defer { content.bytes.wipe() }
        if content.isOpenToOthers {
            let command = ShellWord(path: file).map { "Run: chmod 600 \($0)" }
            Notes.warning(
                "\(shown) has tokens, and other users may read it. \(command ?? "Make it readable by you alone.")"
            )
        }
        do throws(OlderBot.Problem) {
            return try OlderBotList(parsing: content.bytes)
        } catch {
            throw CommandFailure(.unavailable, "\(shown): \(error).")
        }
    }

    private func pairings(
        of migration: BotMigration,
        in store: PairingStore
    ) throws(CommandFailure) -> [StoredPairing] {
        try CommandFailure.translating { () throws(StoreError) in
            try store.pairings().filter { $0.credentials.contains { migration.credentials.contains($0.id) } }
        }
    }

    private static func summary(_ new: Int, known: Int, leftOut: Int) -> String {
        let parts = [
            "\(new) imported",
            known == 0 ? nil : "\(known) were imported before",
            leftOut == 0 ? nil : "\(leftOut) left out",
        ]
        return "bots: \(parts.compactMap(\.self).joined(separator: ", "))."
    }

    /// Shows the gateways that await trust, and asks for it.
    private func settle(_ awaiting: [StoredPairing], _ radar: InProcessRadar) async throws {
        let later = "`clawradar trust NAME` asks again."
        guard TerminalDialogue.isPossible else {
            Notes.note(
                "gateways that await trust: \(awaiting.count). Nothing is sent to them: `clawradar trust NAME` asks."
            )
            return
        }
        let looked = await AwaitedTrust(coordinator: try radar.coordinator).look(at: awaiting)
        Notes.note("gateways that await trust: \(awaiting.count). Nothing has been sent to them.")
        for (number, looked) in looked.enumerated() { Notes.write("  \(number + 1). \(AwaitedTrust.line(looked))\n") }
        // Trust at the end of a tunnel is asked for each by itself, by `trust`.
        let there = looked.compactMap { looked in
            looked.offer.flatMap { !$0.isPlain || $0.plainChoices.contains(.address) ? (looked.pairing, $0) : nil }
        }
        guard !there.isEmpty else {
            Notes.note("none of them can be trusted now. \(later)")
            return
        }
        let all = there.count == 1 ? "the one that answered" : "all \(there.count) that answered, as listed"
        let choice = try await TerminalDialogue.choose(
            "Send the tokens from now on to",
            [all, "those that I choose, one by one", "nobody yet"]
        )
        var trusted = 0
        for (pairing, offer) in there where choice < 2 {
            if choice == 1 {
                guard try await AwaitedTrust.confirm(offer, for: pairing) else { continue }
            }
            _ = try await radar.accept(offer, for: pairing)
            trusted += 1
        }
        Notes.note("\(trusted) of \(awaiting.count) are trusted now.\(trusted == awaiting.count ? "" : " \(later)")")
    }
}
