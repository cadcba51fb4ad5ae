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
        let (link, given): (OutwardLink, Given?)
        do {
            (link, given) = try await self.link(to: pairing, in: store)
            try printLink(link, given, to: pairing)
        } catch {
            file?.discard()
            throw error
        }
        // After the link, which is of use without a picture.
        if let file { try Self.write(link, to: file, isSecret: given != nil) }
        guard let given, let wait = given.wait, self.wait ?? (format.format == .table) else { return }
        let use = await wait()
        switch format.format {
        case .json: try StandardOutput().write(LinkUseReport(pairing: pairing, use: use).line)
        case .table: Notes.note(use.text(until: given.expiry, isAdmin: given.access != nil))
        }
    }

    /// Returns the link, with a code that works once if the gateway gives one.
    private func link(to pairing: StoredPairing, in store: PairingStore?) async throws -> (OutwardLink, Given?) {
        do {
            // Before a code is made, which would be in vain.
            let open = try OutwardLink(pairing)
            if svg != nil { _ = try Self.symbol(of: open) }
            let given = try await setupCode(for: pairing, in: store, url: open.text) ?? code(for: pairing)
            return (try OutwardLink(pairing, code: given?.code), given)
        } catch let error as OutwardLink.Problem {
            throw CommandFailure(.nothingFound, "no link to \(pairing.label): \(error).")
        }
    }

    private func printLink(_ link: OutwardLink, _ given: Given?, to pairing: StoredPairing) throws {
        let output = StandardOutput()
        switch format.format {
        case .json:
            let code = given.map { LinkReport.Code($0.code, until: $0.expiry, access: $0.access) }
            try output.write(LinkReport(pairing, link, code).line)
        case .table:
            Notes.note("\(pairing.label): for another device, which then pairs with it. \(Self.meaning(given))")
            try output.write(link.text + "\n")
            // A secret stands once where nobody looks on, such as in a log.
            if given == nil || Notes.columns != nil, let word = ShellWord(link: link.text) {
                Notes.write("\(NextStep.line("on the other device: clawradar pair \(word)"))\n")
            }
            if pairing.dialect == .openClaw, let code = given?.code.revealed {
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

    /// A code that works once.
    private struct Given {
        let code: Secret
        let expiry: Timestamp

        /// Waits for its use, where that can be seen.
        var wait: (@Sendable () async -> LinkUse)?

        /// The rights that it opens, where the gateway distinguishes them.
        var access: MadeSetupCode.Access?
    }

    /// Returns a code of the gateway, if it is one of this host that demands codes; otherwise `nil`.
    private func code(for pairing: StoredPairing) throws(CommandFailure) -> Given? {
        guard let socket = control.map(GatewayControl.init(path:)) ?? GatewayControl.ofThisHost(pairing) else {
            return nil
        }
        do throws(GatewayControl.Problem) {
            let isOpenClaw = pairing.dialect == .openClaw
            let before = isOpenClaw ? socket.devices() : nil
            let code = pairing.naming(try socket.code())
            let expiry = Timestamp(milliseconds: Timestamp.now.milliseconds + (isOpenClaw ? 600_000 : 300_000))
            var given = Given(code: code, expiry: expiry)
            if let before {
                given.wait = { await socket.newcomer(since: before, until: expiry) }
            } else if !isOpenClaw {
                given.wait = { await socket.end(of: code, until: expiry) }
            }
            return given
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

    /// Returns a setup code of a gateway at which this device is an owner; `nil` if there is none, with a note if the
    /// gateway gives none.
    private func setupCode(
        for pairing: StoredPairing,
        in store: PairingStore?,
        url: String
    ) async throws -> Given? {
        guard control == nil, let store, pairing.isOwned else {
            guard !full else {
                throw CommandFailure(
                    .usage,
                    "--full is for an OpenClaw gateway at which this device is an owner: `clawradar pair NAME --as-owner`."
                )
            }
            return nil
        }
        if let problem = store.keyProblem { throw CommandFailure(problem) }
        let codes = SetupCodes(store: store, pairing: pairing)
        do {
            let (made, before) = try await codes.make(full ? .full : .limited, url: url)
            let end = made.end(madeAt: Timestamp.now.milliseconds)
            if full, made.access == .limited {
                Notes.warning("the gateway gives a code with limited rights: without TLS it gives no other.")
            }
            let expiry = Timestamp(milliseconds: end)
            var given = Given(code: pairing.naming(made.code.text), expiry: expiry, access: made.access)
            if let before { given.wait = { await codes.newcomer(since: before, until: expiry) } }
            return given
        } catch let trouble as CallProblem {
            guard !full else { throw CommandFailure(.nothingFound, "no setup code: \(trouble).") }
            Notes.note("the gateway gives no setup code: \(trouble).")
            return nil
        }
    }

    private static func meaning(_ given: Given?) -> String {
        guard let given else { return "It holds no secret." }
        let end = TimeText.localDay(given.expiry)
        guard let access = given.access else {
            return "Whoever uses it first, once, until \(end), pairs: give it to nobody else."
        }
        return
            "Whoever uses it first, once, until \(end), asks to be paired with \(access.rawValue) rights, and waits for "
            + "an approval: `clawradar approvals`. Give it to nobody else."
    }

    // MARK: The QR code

    private static func symbol(of link: OutwardLink) throws(CommandFailure) -> QRSymbol {
        do throws(QRSymbol.Problem) {
            return try QRSymbol(encoding: link.text)
        } catch {
            throw CommandFailure(.nothingFound, "no QR code: \(error).")
        }
    }

    /// Returns the lines of the QR code; none, with a note, if there is none or it is too wide for the terminal. The link
    /// itself is of use without.
    private static func picture(of link: OutwardLink, in terminal: Terminal) -> String {
        let symbol: QRSymbol
        do throws(QRSymbol.Problem) {
            symbol = try QRSymbol(encoding: link.text)
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

    private static func write(_ link: OutwardLink, to file: PictureFile, isSecret: Bool) throws(CommandFailure) {
        let picture: String
        do throws(CommandFailure) {
            picture = try symbol(of: link).svg
        } catch {
            file.discard()
            throw error
        }
        try file.write(picture, isSecret: isSecret)
    }
}
