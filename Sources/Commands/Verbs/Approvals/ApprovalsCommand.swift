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
            Clawline provider tells its admins, of which the first device is one that it pairs; it allows each device one \
            session, so that a running agent is asked for what its own says. `clawradar approve` and `clawradar reject` \
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
        let answers = try await ApprovalDesk.run(gateway, within: options.timeout, options.common) {
            await $0.answers($1)
        }
        let output = StandardOutput()
        switch options.format.format {
        case .table:
            let (now, width) = (Timestamp.now.milliseconds, output.terminal?.columns)
            try output.write(ApprovalText.table(answers, at: now, width: width))
        case .json:
            let requests = answers.flatMap { answer in answer.requests.map { $0.report(answer.admin) } }
            try output.write(ApprovalsDocument(requests: requests).line)
        }
        for answer in answers {
            let pairing = answer.admin.pairing
            if let trouble = answer.trouble { Notes.warning("\(ApprovalText.notAsked(pairing, trouble)).") }
            if let list = try? answer.outcome.get(), list.leftOut > 0 {
                Notes.warning("\(pairing.label) lists \(list.leftOut) more that are not shown.")
            }
        }
        for admin in answers.map(\.admin) where admin.pairing.dialect == .openClaw && !admin.isOwner {
            // Whether it shows others depends on its version, which it does not say in words that last.
            let pairing = admin.pairing
            Notes.note(
                "\(pairing.label) may show this device its own requests alone, as gateways since 2026.7 do without "
                    + "operator.admin: `clawradar pair \(pairing.shortID) --as-admin` asks for that."
            )
        }
        guard answers.contains(where: { $0.trouble == nil }) else { throw ExitCode.nothingFound }
        Notes.note(answers.allSatisfy(\.requests.isEmpty) ? "no device waits." : ApprovalText.later)
    }
}

/// The options of the verbs of admins.
struct AdminOptions: ParsableArguments {
    @Option(
        help: .time("The maximum duration", default: "6"),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 6)

    @OptionGroup var format: ReportFormatOption
    @OptionGroup var common: CommonOptions
}

/// The devices that wait.
private struct ApprovalsDocument: JSONReport {
    let requests: [DeviceRequestReport]

    var fields: [String: JSONValue] { ["requests": .array(requests.map(\.json))] }
}

extension DeviceRequest {
    /// The request as outsiders read it.
    func report(_ admin: AdminPairing) -> DeviceRequestReport {
        DeviceRequestReport(self, at: admin.pairing, lacking: admin.scopesLacking(for: self))
    }
}
