internal import Agent
internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// `clawradar approvals`: lists the devices that wait for the approval of this one.
struct ApprovalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approvals",
        abstract: "Lists the devices that wait at gateways for an approval that this device can give.",
        usage: "clawradar approvals [<gateway>] [<options>]",
        discussion: """
            Asks the OpenClaw gateways at which this device is an admin: `clawradar pair NAME --as-admin` asks for that. A \
            Clawline provider tells its admins, of which the first device is one that it pairs. If `clawradar agent` runs, its \
            sessions are used; a Clawline provider allows each device one. `clawradar approve` and `clawradar reject` \
            decide; to decide later, do nothing: a device waits as long as its gateway keeps the request, at OpenClaw 5 \
            minutes, and can ask again. A device chooses its name itself, and nothing proves it: compare the identifier of the request with \
            the one that the device shows.

            EXAMPLES:
              clawradar approvals
              clawradar approvals "Home Gateway"
              clawradar approvals --format json | jq -r '.requests[] | .id, .name'

            Exit status: 0, even if no device waits; 1 if no gateway answered, if this device is an admin at none, or if \
            nothing has this name; 64 if several have it, 69 if the store cannot be used, 130 if it was cancelled.
            """
    )

    @Argument(
        help: ArgumentHelp("A paired gateway. Default: all at which this device is an admin.", valueName: "gateway"),
        completion: .custom(StoreAccess.completions),
        transform: { try PairedName($0) }
    )
    var gateway: PairedName?

    @OptionGroup var options: AdminOptions

    func run() async throws {
        let (pairings, report) = try await options.run(gateway) { radar, id, limit in
            try await radar.approvals(at: id, within: limit)
        }
        let output = StandardOutput()
        switch options.format.format {
        case .table:
            let (now, width) = (Timestamp.now.milliseconds, output.terminal?.columns)
            try output.write(ApprovalText.table(report.answers.flatMap(\.requests), at: now, width: width))
        case .json: try output.write(report.line)
        }
        let asked = report.answers.compactMap { answer in pairings.first { $0.id == answer.pairing } }
        for answer in report.answers {
            if let trouble = answer.trouble { Notes.warning("\(trouble).") }
            if answer.leftOut > 0, let pairing = asked.first(where: { $0.id == answer.pairing }) {
                Notes.warning("\(pairing.label) lists \(answer.leftOut) more that are not shown.")
            }
        }
        for pairing in asked where pairing.dialect == .openClaw && !pairing.isOwned {
            // Whether it shows others depends on its version, which it does not say in words that last.
            Notes.note(
                "\(pairing.label) may show this device its own requests alone, as gateways since 2026.7 do without "
                    + "operator.admin: `clawradar pair \(pairing.shortID) --as-admin` asks for that."
            )
        }
        guard report.answers.contains(where: { $0.trouble == nil }) else { throw ExitCode.nothingFound }
        Notes.note(report.answers.allSatisfy(\.requests.isEmpty) ? "no device waits." : ApprovalText.later)
    }
}

/// The options of the verbs of admins.
struct AdminOptions: ParsableArguments, AskingCommand {
    @Option(
        help: .time("The maximum duration", default: "6"),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 6)

    @OptionGroup var format: ReportFormatOption
    @OptionGroup var agent: AgentOption
    @OptionGroup var common: CommonOptions

    /// Asks a carrier with sessions about a gateway, or about all at which this device is an admin.
    ///
    /// - Returns: All pairings, and the answer.
    func run<Report: Sendable>(
        _ gateway: PairedName?,
        _ body: @escaping @Sendable (any Radar, PairingID?, Duration) async throws -> Report
    ) async throws -> ([StoredPairing], Report) {
        let end = ContinuousClock.now + timeout.duration
        let store = try StoreAccess.open()
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store.pairings() }
        let id = try gateway?.pairing(among: pairings).id
        let report = try await withSessions(
            in: store,
            with: { local throws(RadarError) in try await local.admins(at: id) },
            { try await body($0, id, end - .now) }
        )
        return (pairings, report)
    }
}
