internal import ArgumentParser
internal import GatewayProtocol
internal import Pairing
internal import PairingStore
internal import QRCodes
internal import Reports
internal import SystemPackage

/// `clawradar link`: prints a link to a paired gateway for another device, with a QR code.
struct LinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Prints a link to a paired gateway for another device, with a QR code.",
        usage: "clawradar link [<name>] [<options>]",
        discussion: """
            The link says where the gateway is and how it is recognized. It holds no secret: the token of this device \
            is never in it, and whoever uses the link pairs as it would with the gateway itself. It does not expire; \
            it leads nowhere once the gateway has another address. For an OptaPlus gateway it is optaplus://pair?…, \
            for an OpenClaw gateway its address.

            On a terminal that is wide enough, a QR code is shown below it, black on white. --svg writes it as a \
            picture.

            EXAMPLES:
              clawradar link
              clawradar link "Home Gateway" --svg home.svg

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

    @OptionGroup var format: ReportFormatOption

    /// A link as outsiders read it.
    private struct LinkDocument: JSONReport {
        let pairing: StoredPairing
        let link: OutwardLink

        var fields: [String: JSONValue] {
            [
                "link": .string(link.text), "pairing": .string(pairing.id.description), "name": .string(pairing.name),
                "hasSecret": .bool(false),
            ]
        }
    }

    func run() async throws {
        let store = try StoreAccess.openExisting()
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store?.pairings() ?? [] }
        let pairing = try pairing(among: pairings)
        let link: OutwardLink
        do throws(OutwardLink.Problem) {
            link = try OutwardLink(pairing)
        } catch {
            throw CommandFailure(.nothingFound, "no link to \(pairing.label): \(error).")
        }
        if let svg { try Self.write(try Self.symbol(of: link).svg, to: svg) }
        let output = StandardOutput()
        switch format.format {
        case .json: try output.write(LinkDocument(pairing: pairing, link: link).line)
        case .table:
            Notes.note("\(pairing.label): for another device, which then pairs with it. It holds no secret.")
            try output.write(link.text + "\n")
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

    private static func write(_ text: String, to path: String) throws(CommandFailure) {
        do {
            let file = try FileDescriptor.open(
                path,
                .writeOnly,
                options: [.create, .truncate, .closeOnExec],
                permissions: [.ownerReadWrite, .groupRead, .otherRead]
            )
            try file.closeAfter { _ = try file.writeAll(text.utf8) }
        } catch {
            throw CommandFailure(.outputFailed, "\(path): the QR code could not be written: \(error).")
        }
    }
}
