internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// `clawradar approve`: approves a device that waits.
struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve",
        abstract: "Approves a device that waits at a gateway at which this device is an admin.",
        usage: "clawradar approve <request> [<options>]",
        discussion: """
            The device may then do what `clawradar approvals` shows that it asks for. Nothing is approved that this device \
            may not do itself: that is refused, and nothing is sent. A Clawline provider says nothing to a decision \
            that it carries out. Its devices choose their identifiers: there the whole is needed, and a device that asks \
            again under another name is not approved. There, a device belongs to an account, and sees what that has: it is that \
            of this device, unless --user says otherwise.

            EXAMPLES:
              clawradar approve 0f3c8a52
              clawradar approve 0f3c8a52 --gateway "Home Gateway"
              clawradar approve 6f9619ff-8b86-4d01-b42d-00cf4fc964f1 --user new

            Exit status: 0 if it is approved; 1 if no such device waits, if it asks for more than this device has, or if \
            the gateway refuses or does not answer; 64 if several requests begin so, 69 if the store cannot be used, 130 \
            if it was cancelled.
            """
    )

    @OptionGroup var decision: DecisionArguments

    @Option(
        help: ArgumentHelp(
            "The account of a Clawline provider to which the device belongs then, or new. Default: this device's own.",
            valueName: "account"
        ),
        transform: { try Self.account($0) }
    )
    var user: ClawlineAccount?

    private static func account(_ text: String) throws(ArgumentProblem) -> ClawlineAccount {
        var generator = SystemRandomNumberGenerator()
        guard let account = text == "new" ? ClawlineAccount(using: &generator) : ClawlineAccount(text) else {
            throw ArgumentProblem("An account is new, or as a Clawline provider names it: user_ and a UUID.")
        }
        return account
    }

    func run() async throws { try await decision.run(.approved, to: user) }
}

/// `clawradar reject`: rejects a device that waits.
struct RejectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject",
        abstract: "Rejects a device that waits at a gateway at which this device is an admin.",
        usage: "clawradar reject <request> [<options>]",
        discussion: """
            The device gets no access. It can ask again.

            EXAMPLES:
              clawradar reject 0f3c8a52

            Exit status: 0 if it is rejected; 1 if no such device waits, or if the gateway refuses or does not answer; 64 \
            if several requests begin so, 69 if the store cannot be used, 130 if it was cancelled.
            """
    )

    @OptionGroup var decision: DecisionArguments

    func run() async throws { try await decision.run(.rejected) }
}

/// The request that is decided, and the options.
struct DecisionArguments: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The identifier of the request; at an OpenClaw gateway at least its first \(RequestName.shortest) characters.",
            valueName: "request"
        ),
        transform: { try RequestName(argument: $0) }
    )
    var request: RequestName

    @Option(
        help: ArgumentHelp("The gateway at which it waits. Default: the one that has it.", valueName: "name"),
        completion: .custom(StoreAccess.completions),
        transform: { try PairedName($0) }
    )
    var gateway: PairedName?

    @OptionGroup var options: AdminOptions

    /// Decides the request, and prints that.
    func run(_ decision: DeviceDecision, to account: ClawlineAccount? = nil) async throws {
        let request = request
        let (pairings, decided) = try await options.run(gateway) { radar, id, limit in
            try await radar.decide(request, decision, to: account, at: id, within: limit)
        }
        let pairing = pairings.first { "\($0.id)" == decided.report.pairing }
        let gateway = pairing?.label ?? DisplayText(decided.report.gatewayName, limit: 64).quoted
        try options.format.write(ApprovalText.line(decided, at: gateway), decided)
    }
}

extension RequestName {
    /// Reads what was typed.
    init(argument text: String) throws(ArgumentProblem) {
        guard let name = RequestName(text) else {
            throw ArgumentProblem("An identifier of a request is as `clawradar approvals` shows it.")
        }
        self = name
    }
}
