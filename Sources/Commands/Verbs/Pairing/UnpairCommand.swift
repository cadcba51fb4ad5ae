internal import Agent
internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// `clawradar unpair`: ends a pairing here and at the gateway.
struct UnpairCommand: AsyncParsableCommand, AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair",
        abstract: "Ends the pairing with a gateway, or with some of its bots, here and at the gateway.",
        usage: "clawradar unpair <name> [<options>]",
        discussion: """
            If the gateway can be reached and has proved its identity, the pairing is withdrawn there, so that this \
            device's credentials stop working. Otherwise the pairing ends here, and a later `clawradar connect` \
            withdraws it when it sees the gateway again. An OpenClaw gateway lets no device remove itself: the \
            command for its operator is printed. The pairing stays in the bin for 30 days.

            EXAMPLES:
              clawradar unpair "Home Gateway"
              clawradar unpair "Home Gateway" --bots Friday --yes

            Exit status: 0, even if the gateway could not be reached; 1 if nothing has this name, 64 if several have \
            it or there is nobody to ask for confirmation, 69 if the store cannot be used, 130 if it was cancelled.
            """
    )

    @OptionGroup var subject: PairedNameArgument

    @Option(
        help: ArgumentHelp("The bots to unpair, by name or identifier. Default: all.", valueName: "a,b|all"),
        transform: { try BotChoice($0) }
    )
    var bots: BotChoice?

    @OptionGroup var confirmation: ConfirmationOption
    @OptionGroup var format: ReportFormatOption
    @OptionGroup var agent: AgentOption
    @OptionGroup var common: CommonOptions

    /// The time limit for looking for the current place of the gateway.
    private static let lookTimeout = Duration.seconds(3)

    func run() async throws {
        let constellation = Constellation()
        let local = try StoreAccess.radar(constellation, common.logger)
        let (pairing, ids) = try choose(among: try await local.pairings())
        let given = ids.map { ids in pairing.bots.filter { ids.contains($0.id) } }
        let what = given.map { "\($0.map(\.label).joined(separator: ", ")) of \(pairing.label)" } ?? pairing.label
        try await confirmation.confirm(
            "Unpair this?",
            (given ?? []).map { "bot \($0.label)" } + ["\(given == nil ? "" : "of ")gateway \(pairing.label)"]
        )

        let radar = AgentOption.radar(else: local, asksAgent: isUsual && !agent.noAgent)
        // An agent looks by itself.
        let rows = radar is AgentRadar ? [] : try await rows(showing: pairing, constellation)
        let ended = try await radar.unpair(pairing.id, bots: ids.map(BotSelection.some) ?? .all, seenIn: rows)
        try format.write(UnpairingText.text(ended.withdrawal ?? .notInformed, what, pairing), ended)
    }

    /// Finds the pairing, and the bots to unpair; `nil` for all of them.
    private func choose(among pairings: [StoredPairing]) throws(CommandFailure) -> (StoredPairing, [BotID]?) {
        let subject = try subject.name.subject(among: pairings)
        guard let pairing = pairings.first(where: { $0.id == subject.pairing }) else {
            throw CommandFailure(.ourFault, "a pairing that was found is not there")
        }
        if let bots { return (pairing, try bots.resolved(among: pairing.bots.map { ($0.id, $0.name) })) }
        if case .bot(_, let bot) = subject, pairing.bots.count > 1 { return (pairing, [bot]) }
        return (pairing, nil)
    }

    /// Looks for the current places of a gateway with a pinned certificate.
    ///
    /// - Returns: All rows; none where nothing has to be looked for.
    private func rows(
        showing pairing: StoredPairing,
        _ constellation: Constellation
    ) async throws(CommandFailure) -> [Gateway] {
        guard case .pinned = pairing.trust, pairing.dialect.letsDevicesLeave else { return [] }
        @Sendable func show(_ rows: [Gateway]) -> Bool {
            rows.contains { !pairing.placesOfItsCertificate(in: $0).isEmpty }
        }
        let scanner = try common.makeScanner(
            ScannerConfiguration(manualGateways: pairing.manualGateways, watches: false),
            constellation: constellation,
            logger: common.logger
        )
        let search = GatewaySearch(scanner: scanner, timeout: Self.lookTimeout)
        return try await search.run(for: pairing.label, until: show).rows
    }
}
