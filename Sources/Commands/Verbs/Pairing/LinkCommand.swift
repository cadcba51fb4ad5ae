internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import QRCodes
internal import Reports
internal import Scanning

/// `clawradar link`: prints a link to a paired gateway for another device, with a QR code.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Prints a link to a paired gateway for another device, with a QR code.",
        usage: "clawradar link [<name>] [<options>]",
        discussion: """
            The link says where the gateway is and how it is recognized. The token of this device is never in it. For \
            an OptaPlus gateway it is optaplus://pair?…, for an OpenClaw gateway its address.

            If the gateway is a reference gateway on this host that demands codes, the link has one: it works once, \
            for 5 minutes, and replaces the code before it. The gateway is asked at its control socket, which --control \
            names if it was started with --state.

            At an OpenClaw gateway where this device is an owner (pair --as-owner), and at a reference gateway of that \
            kind on this host, the link is a setup code: it works once, for 10 minutes, and the device that uses it still \
            waits for an approval. Its rights are limited, unless --full is given. Any other link holds no secret, and \
            does not expire.

            After a link that works once, link waits until it was used, and says by whom, or which device has come since \
            to an OpenClaw gateway. Ctrl-C and --no-wait end that earlier. With --format json it waits only with --wait, \
            and says it in a second object.

            On a terminal that is wide enough, a QR code is shown below it, black on white. --svg writes it as a \
            picture.

            EXAMPLES:
              clawradar link
              clawradar link "Home Gateway" --svg home.svg
              clawradar link "Home Gateway" --full

            Exit status: 0; 1 if nothing is paired or has this name, or no other device could use a link; 64 if several \
            have the name, 69 if the store cannot be used, 74 if the picture cannot be written.
            """
    )

    @Argument(
        help: ArgumentHelp("A paired gateway or bot. Default: the only one.", valueName: "name"),
        completion: .custom(StoreAccess.completions),
        transform: { try PairedName($0) }
    )
    var name: PairedName?

    @Option(help: ArgumentHelp("Write the QR code to this file, as SVG.", valueName: "file"), completion: .file())
    var svg: String?

    @Option(
        help: ArgumentHelp(
            "The control socket of a reference gateway on this host: its --state file with .socket added.",
            valueName: "socket"
        ),
        completion: .file()
    )
    var control: String?

    @Flag(help: "Make a setup code with which a device can ask for everything, approving others included.")
    var full = false

    @Flag(inversion: .prefixedNo, help: "Wait until the link was used. Default: yes, but not with --format json.")
    var wait: Bool?

    @OptionGroup var format: ReportFormatOption

    func validate() throws {
        if full, control != nil { throw ValidationError("Give --full or --control, not both.") }
    }

    func run() async throws {
        let store = try StoreAccess.openExisting()
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store?.pairings() ?? [] }
        let pairing = try pairing(among: pairings)
        let file = try svg.map { path throws(CommandFailure) in try PictureFile(path: path) }
        let made: Made
        do {
            made = try await link(to: pairing, in: store)
            try printLink(made.link, to: pairing)
        } catch {
            file?.discard()
            throw error
        }
        // After the link, which is of use without a picture.
        if let file { try Self.write(made.link, to: file) }
        guard let code = made.link.code, let wait = made.wait, self.wait ?? (format.format == .table) else { return }
        let use = await wait()
        switch format.format {
        case .json: try StandardOutput().write(LinkUseReport(pairing: pairing, use: use).line)
        case .table: Notes.note(use.text(until: code.end, isAdmin: code.access != nil))
        }
    }

    /// A link, and what waits for the use of its code, where that can be seen.
    private struct Made {
        let link: LinkReport
        var wait: (@Sendable () async -> LinkUse)?
    }

    /// Makes the link, with a code that works once if the gateway gives one.
    private func link(to pairing: StoredPairing, in store: PairingStore?) async throws -> Made {
        let open: LinkReport
        do throws(OutwardLink.Problem) {
            open = try LinkReport(pairing)
        } catch {
            throw CommandFailure(.nothingFound, "no link to \(pairing.label): \(error).")
        }
        // Before a code is made, which would be in vain.
        if svg != nil { _ = try Self.symbol(of: open) }
        if control == nil, let store, pairing.isOwned {
            let codes = SetupCodes(store: store, pairing: pairing)
            let (link, before) = try await codes.link(opening: full ? .full : .limited)
            if let code = link.code {
                if full, code.access == .limited {
                    Notes.warning("the gateway gives a code with limited rights: without TLS it gives no other.")
                }
                var made = Made(link: link)
                if let before { made.wait = { await codes.newcomer(since: before, until: code.end) } }
                return made
            }
            if let trouble = link.trouble { Notes.note("the gateway gives no setup code: \(trouble).") }
        }
        guard !full else { throw RadarError(withoutOwner: pairing) }
        return try linkOfThisHost(to: pairing) ?? Made(link: open)
    }

    private func printLink(_ link: LinkReport, to pairing: StoredPairing) throws {
        let output = StandardOutput()
        switch format.format {
        case .json: try output.write(link.line)
        case .table:
            Notes.note("\(pairing.label): for another device, which then pairs with it. \(Self.meaning(link.code))")
            try output.write(link.link + "\n")
            // A secret stands once where nobody looks on, such as in a log.
            if link.code == nil || Notes.columns != nil, let word = ShellWord(link: link.link) {
                Notes.write("\(NextStep.line("on the other device: clawradar pair \(word)"))\n")
            }
            if let code = link.code?.setupCode {
                Notes.note("the code alone, for OpenClaw's own programs: \(code)")
            }
            if svg == nil, let terminal = output.terminal { try output.write(Self.picture(of: link, in: terminal)) }
        }
    }

    /// Returns the pairing that is meant.
    private func pairing(among pairings: [StoredPairing]) throws(CommandFailure) -> StoredPairing {
        if let name { return try name.pairing(among: pairings) }
        guard let only = pairings.first else {
            throw CommandFailure(.nothingFound, "nothing is paired. `clawradar pair NAME` pairs.")
        }
        guard pairings.count == 1 else {
            let names = pairings.prefix(8).map(\.label).joined(separator: ", ")
            throw CommandFailure(.usage, "several gateways are paired: \(names). Give the name of one.")
        }
        return only
    }

    // MARK: The code

    /// Returns a link with a code of the gateway, if it is one of this host that demands codes; otherwise `nil`.
    private func linkOfThisHost(to pairing: StoredPairing) throws -> Made? {
        guard let socket = control.map(GatewayControl.init(path:)) ?? GatewayControl.ofThisHost(pairing) else {
            return nil
        }
        do throws(GatewayControl.Problem) {
            let isOpenClaw = pairing.dialect == .openClaw
            let before = isOpenClaw ? socket.devices() : nil
            let code = try socket.code()
            let end = Timestamp(milliseconds: Timestamp.now.milliseconds + (isOpenClaw ? 600_000 : 300_000))
            guard let link = try? LinkReport(pairing, code: code, until: end) else { return nil }
            var made = Made(link: link)
            if let before {
                made.wait = { await socket.newcomer(since: before, until: end) }
            } else if !isOpenClaw {
                made.wait = { await socket.end(of: code, until: end) }
            }
            return made
        } catch {
            switch error {
            case .refused(let reason):
                Notes.note("the gateway gives no code: \(DisplayText(reason, limit: 256)).")
                return nil
            case .absent:
                guard let control else { return nil }
                let shown = DisplayText(control, limit: 256)
                throw CommandFailure(.unavailable, "\(shown): no gateway of this user answers there. Is it running?")
            }
        }
    }

    private static func meaning(_ code: LinkReport.Code?) -> String {
        guard let code else { return "It holds no secret." }
        let end = TimeText.localDay(code.end)
        guard let access = code.access else {
            return "Whoever uses it first, once, until \(end), pairs: give it to nobody else."
        }
        return
            "Whoever uses it first, once, until \(end), asks to be paired with \(access.rawValue) rights, and waits for "
            + "an approval: `clawradar approvals`. Give it to nobody else."
    }

    // MARK: The QR code

    private static func symbol(of link: LinkReport) throws(CommandFailure) -> QRSymbol {
        do throws(QRSymbol.Problem) {
            return try QRSymbol(encoding: link.link)
        } catch {
            throw CommandFailure(.nothingFound, "no QR code: \(error).")
        }
    }

    /// Returns the lines of the QR code; none, with a note, if there is none or it is too wide for the terminal. The link
    /// itself is of use without.
    private static func picture(of link: LinkReport, in terminal: Terminal) -> String {
        let symbol: QRSymbol
        do throws(QRSymbol.Problem) {
            symbol = try QRSymbol(encoding: link.link)
        } catch {
            Notes.note("there is no QR code: \(error).")
            return ""
        }
        guard symbol.framedSize <= terminal.columns else {
            Notes.note(
                "the QR code is \(symbol.framedSize) columns wide, and the terminal \(terminal.columns): --svg FILE writes it "
                    + "as a picture."
            )
            return ""
        }
        return symbol.lines.map { $0 + "\n" }.joined()
    }

    private static func write(_ link: LinkReport, to file: PictureFile) throws(CommandFailure) {
        let picture: String
        do throws(CommandFailure) {
            picture = try symbol(of: link).svg
        } catch {
            file.discard()
            throw error
        }
        try file.write(picture, isSecret: link.code != nil)
    }
}
