internal import Agent
internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// `clawradar status`: everything at one glance.
struct StatusCommand: AsyncParsableCommand, AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows gateways, the agent and what is wrong at a glance, each with its command.",
        usage: "clawradar status [<options>]",
        discussion: """
            Shows all gateways, paired or not; the agent and those parts of it that do not work; the devices that wait for \
            an approval; of what nothing is told now; and the last outage within a week. If `clawradar agent` runs, it is \
            asked. Otherwise this looks once, as `clawradar bots` does, and what another process keeps connected, as \
            `clawradar connect` does, is shown as that process says it; nothing secret is sent.

            The states: connected; connecting; paired (it answers, and nothing keeps it connected); gone (it does not \
            answer; since when it was connected last); moved and changed-certificate (it is not as it was at pairing: nothing \
            is sent until `clawradar trust` accepts it); uncertified; waiting; refused; failed; revoked; not paired (or \
            that it does not answer any more).

            EXAMPLES:
              clawradar status
              clawradar status --format json | jq -r '.gateways[] | select(.state != "connected").name'

            Exit status: 0, whatever it shows; 64 if the command line is invalid, 69 if the store cannot be used. A \
            network that cannot be used is a warning: what is paired is known without it.
            """
    )

    @OptionGroup var options: LookOptions
    @OptionGroup var agent: AgentOption

    var common: CommonOptions { options.common }

    func run() async throws {
        let begin = ContinuousClock.now
        let (timeout, shortTimeout) = (options.timeout.duration * 2 / 3, options.timeout.duration / 3)
        // An agent that cannot read the store has no states.
        if isUsual, let known = agent.document("GET", "/api/v1/status", within: timeout, lifeTimeout: shortTimeout),
            let states = known["gateways"]?.array
        {
            let document = StatusDocument(
                gateways: states,
                unpaired: known["unpaired"]?.array ?? [],
                waiting: known["waiting"]?.array,
                agent: known["agent"]
            )
            return try await show(document)
        }
        let start = AgentOption.start(since: begin, within: options.timeout)
        let (store, pairings, bin) = try await StoreAccess.read(within: shortTimeout) { store throws(StoreError) in
            (store, try store?.pairings() ?? [], try store?.bin() ?? [])
        }
        let revoked = PairedStatus.revoked(bin, besides: pairings)
        let paired = PairedGateways(of: pairings)
        let (snapshot, result) = try await look(store, pairings, paired, since: start)
        let states = Self.states(pairings, paired, snapshot.gateways + snapshot.others, store)
        let document = StatusDocument(
            gateways: (states + revoked).inOrder.map(\.report.json),
            unpaired: snapshot.unpaired.map { GatewayReport($0).json },
            absence: AgentOption.isRunning ? .notAsked : .off
        )
        try await show(document)
        for warning in result.warnings { Notes.warning(warning) }
        ScanVerdict(snapshot, result, timeout: options.timeout, scope: .ofThisHost()).noteWhatMayBeMissing(
            result.trouble
        )
    }

    /// Looks for gateways: until what is paired is known, and without a pairing, until everything is.
    private func look(
        _ store: PairingStore?,
        _ pairings: [StoredPairing],
        _ paired: PairedGateways,
        since start: ContinuousClock.Instant
    ) async throws -> (NetworkSnapshot, ScanResult) {
        let manual = await ManualGateways(Self.configured, within: options.timeout.duration / 3)
        for problem in manual.problems { Notes.warning(problem) }
        guard !pairings.isEmpty else {
            return try await options.look(store, pairings, and: manual.gateways, since: start)
        }
        return try await options.look(store, pairings, and: manual.gateways, since: start) { constellation in
            await SteadyStates.wait(
                for: constellation,
                seen: { Self.states(pairings, paired, $0, nil) },
                shown: { Self.states(pairings, paired, $0, store) }
            )
        }
    }

    /// The gateways that the configuration names. One that is invalid is no reason to show nothing.
    private static var configured: [ProbeAddress] {
        do throws(CommandFailure) {
            return try GatewayOption.configured()
        } catch {
            Notes.warning(error.message)
            return []
        }
    }

    private static func states(
        _ pairings: [StoredPairing],
        _ paired: PairedGateways,
        _ rows: [Gateway],
        _ store: PairingStore?
    ) -> [PairedStatus] {
        let held = store?.heldSessions(of: pairings.flatMap { $0.credentials.map(\.id) }) ?? [:]
        return paired.states(of: pairings, in: rows, held)
    }

    private func show(_ document: StatusDocument) async throws {
        var document = document
        // What has to be read for that may hang.
        let told = await HeldUp.wait(for: min(.seconds(1), options.timeout.duration / 3)) {
            Told(NoticeStoreAccess.existing)
        }
        document.silence = told?.silence ?? []
        document.outage = told?.outage
        let output = StandardOutput()
        switch options.format.format {
        case .table:
            try output.write(StatusScreen.text(document, width: output.terminal?.columns, style: output.style))
            if let next = document.next { Notes.write("\(next)\n") }
            if document.gateways.isEmpty { OlderConfiguration.note() }
        case .json: try output.write(document.line)
        }
        if told == nil { Notes.warning("what is not told now is not known: the history does not answer in time.") }
    }

    /// The answer of the history.
    private struct Told {
        let silence: [String]
        let outage: GatewayHistory.Outage?

        init(_ store: NoticeStore?) {
            silence = SilenceText.lines(store)
            let week = Timestamp.now.advanced(by: .milliseconds(-LongTime.week.milliseconds))
            outage = (try? store?.history(since: week, now: .now))?.named(KnownNames.stored()).outages.last
        }
    }
}
