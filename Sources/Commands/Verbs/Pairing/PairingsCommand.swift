internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// `clawradar pairings`: lists the pairings of this device, or the bin.
struct PairingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pairings",
        abstract: "Lists the gateways that this device is paired with, and their bots; or the bin.",
        usage: "clawradar pairings [<options>]",
        discussion: """
            Shows what is stored, and asks no gateway. `clawradar bots` shows which of them are on the network.

            Pairings that were unpaired, forgotten or revoked stay in the bin for 30 days: see `clawradar restore`.

            EXAMPLES:
              clawradar pairings
              clawradar pairings --bin
              clawradar pairings --format json | jq -r '.pairings[] | .name, .endpoints[0]'

            Exit status: 0; 64 if the command line is invalid, 69 if the store cannot be used.
            """
    )

    @Flag(help: "List the bin.")
    var bin = false

    @Flag(help: "Also print the tokens; only with --format json.")
    var showSecrets = false

    @OptionGroup var format: ReportFormatOption

    func validate() throws {
        guard showSecrets else { return }
        guard format.format == .json, !bin else {
            throw ValidationError("--show-secrets is for --format json, and for what is paired. Leave it out.")
        }
    }

    func run() async throws {
        let store = try StoreAccess.open()
        let output = StandardOutput()
        let problem = store.keyProblem
        if let problem { Notes.warning(problem.keySentence) }
        if bin {
            let items = try CommandFailure.translating { () throws(StoreError) in try store.bin() }
            switch format.format {
            case .table: try output.write(PairingTable.text(items, width: output.terminal?.columns))
            case .json: try output.write(BinReport(items).line)
            }
            if items.isEmpty, format.format == .table { Notes.note("the bin is empty.") }
            return
        }
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store.pairings() }
        switch format.format {
        case .table: try output.write(PairingTable.text(pairings, width: output.terminal?.columns))
        case .json:
            let secrets = showSecrets ? try Self.secrets(pairings, store) : nil
            let reports = pairings.map { PairingReport($0, isSealed: problem != nil, secrets: secrets) }
            try output.write(PairingListReport(reports).line)
        }
        if pairings.isEmpty, format.format == .table {
            Notes.note("nothing is paired. `clawradar scan` shows what is there, and `clawradar pair NAME` pairs.")
            OlderConfiguration.note()
        }
    }

    private static func secrets(
        _ pairings: [StoredPairing],
        _ store: PairingStore
    ) throws(CommandFailure) -> [CredentialID: Secret] {
        try CommandFailure.translating { () throws(StoreError) in
            var secrets: [CredentialID: Secret] = [:]
            for pairing in pairings {
                for credential in pairing.credentials {
                    secrets[credential.id] = try store.secret(of: credential.id, in: pairing.id)
                }
            }
            return secrets
        }
    }
}
