internal import Agent
internal import ArgumentParser
internal import Constellation
internal import DNSSD
internal import PairedFacts
internal import PairingStore
internal import Reports
internal import Scanning

/// `clawradar bots`: scans once, and lists all bots, paired or not.
struct BotsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bots",
        abstract: "Looks once, and lists all bots: those on the network, and those that are paired.",
        usage: "clawradar bots [<options>]",
        discussion: """
            Looks as `clawradar scan` does, and also at the last known addresses of paired gateways; nothing secret \
            is sent. Archived bots are left out.

            EXAMPLES:
              clawradar bots
              clawradar bots --format json | jq -r '.bots[] | select(.isPaired).name'

            Exit status: 0 if there is a bot, 1 if there is none, 64 if the command line or the configuration is \
            invalid, 69 if the store or the network cannot be used.
            """
    )

    @OptionGroup var options: LookOptions

    func run() async throws {
        let start = ContinuousClock.now
        let store = try StoreAccess.openExisting()
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store?.pairings() ?? [] }
        var paired = PairedGateways()
        _ = paired.take(pairings)
        let configured = try await GatewayOption.configured()
        let manual = await ManualGateways(configured, within: options.timeout.duration / 2)
        for problem in manual.problems { Notes.warning(problem) }
        let (snapshot, result) = try await options.look(store, pairings, and: manual.gateways, since: start)
        let bots = BotAtGateway.all(in: snapshot.gateways, paired, now: .now)
        let output = StandardOutput()
        switch options.format.format {
        case .table:
            let style = Style(isOn: output.terminal != nil && Environment.wantsColour)
            try output.write(BotTable.text(bots, width: output.terminal?.columns, style: style))
        case .json: try output.write(ConstellationReport(bots.map(\.report)).line)
        }
        for warning in result.warnings { Notes.warning(warning) }
        try Self.conclude(
            ScanVerdict(
                snapshot,
                result,
                timeout: options.timeout,
                scope: .ofThisHost(),
                teller: "`clawradar scan`"
            ),
            result.trouble,
            hasBots: !bots.isEmpty
        )
    }

    /// Prints the last warning, and chooses the exit status. That no gateway answered is no failure if bots are known.
    static func conclude(
        _ verdict: ScanVerdict,
        _ trouble: BackendError? = nil,
        hasBots: Bool,
        warn: (String) -> Void = Notes.warning
    ) throws(CommandFailure) {
        if hasBots { return verdict.noteWhatMayBeMissing(trouble, warn: warn) }
        switch verdict {
        case .failed(let failure): throw failure
        case .found(let warning):
            if let warning { warn(warning) }
            throw CommandFailure(
                .nothingFound,
                "no bot is known. Some gateways report their bots only after pairing."
            )
        }
    }
}
