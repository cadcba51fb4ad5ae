internal import Agent
internal import ArgumentParser
internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import PairedFacts
internal import PairingStore
internal import Reports

/// `clawradar status`: the state of each paired gateway at a glance.
struct StatusCommand: AsyncParsableCommand, AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the state of each paired gateway at a glance.",
        usage: "clawradar status [<options>]",
        discussion: """
            What another process keeps connected, as `clawradar connect` does, is shown as that process says it. For \
            all others it looks once, as `clawradar bots` does; nothing secret is sent. If `clawradar agent` runs, it is \
            asked instead.

            The states: connected; connecting; paired (it answers, and nothing keeps it connected); gone (it does not \
            answer; since when it was connected last); moved and changed-certificate (it is not as it was at pairing: \
            nothing is sent until `clawradar trust` accepts it); uncertified; waiting; refused; failed; revoked.

            EXAMPLES:
              clawradar status
              clawradar status --format json | jq -r '.gateways[] | select(.state != "connected").name'

            Exit status: 0; 1 if nothing is paired, 64 if the command line is invalid, 69 if the store cannot be used. \
            A network that cannot be used is a warning: what is paired is known without it.
            """
    )

    @OptionGroup var options: LookOptions
    @OptionGroup var agent: AgentOption

    var common: CommonOptions { options.common }

    func run() async throws {
        let begin = ContinuousClock.now
        let (time, patience) = (options.timeout.duration * 2 / 3, options.timeout.duration / 3)
        // An agent that cannot read the store has no states.
        if isUsual,
            let states = agent.document("GET", "/api/v1/status", within: time, patience: patience)?["gateways"]?.array
        {
            try await show(states)
            guard states.isEmpty else { return }
            throw Self.nothing
        }
        let start = AgentOption.start(since: begin, within: options.timeout)
        let (store, pairings, bin) = try await StoreAccess.read(within: patience) { store throws(StoreError) in
            (store, try store?.pairings() ?? [], try store?.bin() ?? [])
        }
        let revoked = PairedStatus.revoked(bin, besides: pairings)
        guard !pairings.isEmpty || !revoked.isEmpty else {
            try await show([])
            throw Self.nothing
        }
        var paired = PairedGateways()
        _ = paired.take(pairings)
        var rows: [Gateway] = []
        var missing: (ScanVerdict, ScanResult)?
        // What is connected in another process needs no look.
        if Self.states(pairings, paired, [], store).contains(where: { $0.state != .connected }) {
            let (looked, paired) = (pairings, paired)
            let (snapshot, result) = try await options.look(store, pairings, since: start) { constellation in
                await SteadyStates.wait(
                    for: constellation,
                    seen: { Self.states(looked, paired, $0, nil) },
                    shown: { Self.states(looked, paired, $0, store) }
                )
            }
            rows = snapshot.gateways + snapshot.others
            missing = (ScanVerdict(snapshot, result, timeout: options.timeout, scope: .ofThisHost()), result)
        }
        let states = Self.states(pairings, paired, rows, store)
        let sorted = (states + revoked).sorted { ($0.pairing.name, $0.pairing.id) < ($1.pairing.name, $1.pairing.id) }
        try await show(sorted.map(\.report.json))
        guard let (verdict, result) = missing else { return }
        for warning in result.warnings { Notes.warning(warning) }
        verdict.noteWhatMayBeMissing(result.trouble)
    }

    private static func states(
        _ pairings: [StoredPairing],
        _ paired: PairedGateways,
        _ rows: [Gateway],
        _ store: PairingStore?
    ) -> [PairedStatus] {
        let rows = Dictionary(rows.map { ($0.id, $0) }) { first, _ in first }
        let held = store?.heldSessions(of: pairings.flatMap { $0.credentials.map(\.id) }) ?? [:]
        return pairings.map { pairing in
            PairedStatus(
                pairing,
                row: paired.row(of: pairing.id).flatMap { rows[$0] },
                sessions: pairing.credentials.compactMap { held[$0.id] }
            )
        }
    }

    private static var nothing: CommandFailure {
        let offer = OlderConfiguration.offer().map { " \($0)" } ?? ""
        return CommandFailure(.nothingFound, "nothing is paired. `clawradar pair NAME` pairs.\(offer)")
    }

    /// Prints the states, as `PairedStatusReport` writes them.
    private func show(_ states: [JSONValue]) async throws {
        let output = StandardOutput()
        switch options.format.format {
        case .table:
            let style = Style(isOn: output.terminal != nil && Environment.wantsColour)
            try output.write(
                StatusTable.text(states.map(StatusRow.init(report:)), width: output.terminal?.columns, style: style)
            )
            // Not before: what has to be read for that may hang.
            let patience = min(.seconds(1), options.timeout.duration / 3)
            try output.write(await SilenceText.lines(within: patience).map { $0 + "\n" }.joined())
        case .json:
            try output.write(StatusDocument(gateways: states).line)
        }
    }
}

/// The states of all paired gateways, each as `PairedStatusReport` writes it.
private struct StatusDocument: JSONReport {
    let gateways: [JSONValue]

    var fields: [String: JSONValue] { ["gateways": .array(gateways)] }
}
