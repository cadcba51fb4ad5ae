internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// `clawradar bots`: scans once, and lists all bots, paired or not.
struct BotsCommand: AsyncParsableCommand, AskingCommand {
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
    @OptionGroup var agent: AgentOption

    var common: CommonOptions { options.common }

    func run() async throws {
        let begin = ContinuousClock.now
        if try await showThoseOfTheAgent(since: begin) { return }
        let start = AgentOption.start(since: begin, within: options.timeout)
        let (store, pairings) = try await StoreAccess.read(within: storeTimeout) { store throws(StoreError) in
            (store, try store?.pairings() ?? [])
        }
        let paired = PairedGateways(of: pairings)
        let configured = try GatewayOption.configured()
        let manual = await ManualGateways(configured, within: options.timeout.duration / 2)
        for problem in manual.problems { Notes.warning(problem) }
        let (snapshot, result) = try await options.look(store, pairings, and: manual.gateways, since: start)
        let bots = BotAtGateway.all(in: snapshot.gateways, paired, now: .now)
        try show(bots.map(BotTableRow.init), ConstellationReport(bots.map(\.report)).line)
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

    /// The time that the store has to answer.
    private var storeTimeout: Duration { options.timeout.duration / 3 }

    /// Shows the bots that the agent of this user knows, after it has checked anew which gateways answer.
    ///
    /// - Parameter begin: The time at which the command has begun.
    /// - Returns: `false` if no agent was asked.
    private func showThoseOfTheAgent(since begin: ContinuousClock.Instant) async throws -> Bool {
        guard isUsual, let scan = agent.scan(within: options.timeout) else { return false }
        // Its own scan may have used up all of the time.
        let left = max(storeTimeout, options.timeout.duration - (ContinuousClock.now - begin))
        guard let found = agent.document("GET", "/api/v1/bots", within: left) else { return false }
        let bots = found["bots"]?.array ?? []
        var pairings: [StoredPairing] = []
        do throws(CommandFailure) {
            pairings = try await StoreAccess.read(within: storeTimeout) { store throws(StoreError) in
                try store?.pairings() ?? []
            }
        } catch {
            Notes.warning("how paired gateways are trusted is not shown: \(error.message)")
        }
        let paired = PairedGateways(of: pairings)
        let byRow = Dictionary(
            pairings.compactMap { pairing in paired.row(of: pairing.id).map { ("\($0)", pairing) } }
        ) { first, _ in first }
        let rows = bots.map { bot in
            let id = bot["gateway"]?.string ?? ""
            return BotTableRow(report: bot, at: scan.gateway(id), byRow[id])
        }
        try show(rows, String(decoding: found.encoded, as: UTF8.self) + "\n")
        for warning in scan.warnings { Notes.warning(warning) }
        try Self.conclude(scan.verdict(scope: .ofThisHost(), teller: "`clawradar scan`"), hasBots: !bots.isEmpty)
        return true
    }

    private func show(_ rows: [BotTableRow], _ document: String) throws {
        let output = StandardOutput()
        switch options.format.format {
        case .table:
            try output.write(BotTable.text(rows, width: output.terminal?.columns, style: output.style))
        case .json: try output.write(document)
        }
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
