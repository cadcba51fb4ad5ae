internal import Agent
internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// `clawradar connect`: maintains the sessions with paired gateways.
struct ConnectCommand: AsyncParsableCommand, AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Keeps this device connected to its paired gateways, and shows the state of the connections.",
        usage: "clawradar connect [<name> ...] [<options>]",
        discussion: """
            Connects to all paired gateways except those that were disconnected, and reconnects whenever one is back, \
            at any address. Gateways that are named are connected to from now on; this is remembered. On a terminal \
            it shows a live table; through a pipe it prints one object per line: the state of each session, and then \
            each change. Ctrl-C ends it, and the sessions with it.

            If `clawradar agent` runs, it keeps the sessions. With names, connect has it do so, says what has become of it, \
            after 5 seconds at the latest, and ends; without, it shows the sessions: Ctrl-C leaves them as they are, and \
            `clawradar disconnect NAME` ends one. If the agent ends, connect waits 5 seconds for it, and then keeps the \
            sessions itself. With --no-agent or --backend it keeps those that the agent does not have.

            A gateway that is “moved” has no TLS, and has another address or network than before; one with a \
            “changed-certificate” shows another certificate. Neither is sent anything until `clawradar trust` accepts it. An \
            “uncertified” one was paired as a host outside of this network, and no trusted certificate proves that it \
            is that host; it is sent nothing. The token of an OpenAgents gateway without TLS is not stored, and is given with \
            --token-file each time. The session of one that is “held-elsewhere” belongs to another process.

            EXAMPLES:
              clawradar connect
              clawradar connect "Home Gateway"
              clawradar connect Desk --token-file ~/.openagents-token --send-in-clear
              clawradar connect --format ndjson | jq -r 'select(.state == "connected") | .name'

            Exit status: 0 if it was ended, or the agent keeps the sessions; 1 if nothing has this name, 64 if several \
            have it or the configuration is invalid, 69 if the store or the network cannot be used.
            """
    )

    @Argument(
        help: ArgumentHelp("A gateway or bot to connect to from now on.", valueName: "name"),
        completion: .custom(StoreAccess.completions),
        transform: { try PairedName($0) }
    )
    var names: [PairedName] = []

    @Option(
        help: ArgumentHelp("The output format. Default: table on a terminal, otherwise ndjson.", valueName: "format")
    )
    var format: WatchFormat?

    @Option(
        help: ArgumentHelp(
            "The token of an OpenAgents gateway without TLS, which is not stored. - is standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Flag(help: "Send that token without TLS, so that others on the network can read it.")
    var sendInClear = false

    @OptionGroup var agent: AgentOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard tokenFile != nil || sendInClear else { return }
        guard tokenFile != nil, sendInClear, names.count == 1 else {
            throw ValidationError("Give --token-file and --send-in-clear, and the name of one gateway.")
        }
    }

    func run() async throws {
        let store = try StoreAccess.open()
        let pairings = try CommandFailure.translating { () throws(StoreError) in try store.pairings() }
        let wanted = try wanted(among: pairings)
        if let awaiting = wanted.first(where: \.awaitsTrust) { throw RadarError(awaitingTrust: awaiting) }
        let typed = try typedTokens(wanted)
        // An agent has no token that is typed here.
        let radar = AgentOption.radar(
            else: InProcessRadar(store, version: CommandLineTool.version),
            asksAgent: !wanted.isEmpty && isUsual && tokenFile == nil && !agent.noAgent
        )
        for pairing in wanted { _ = try await radar.connect(pairing.id, true) }
        if let problem = store.keyProblem { Notes.warning(problem.keySentence) }
        if pairings.isEmpty {
            Notes.note("nothing is paired yet. It waits for what `clawradar pair` pairs.")
            OlderConfiguration.note()
        }

        let output = StandardOutput()
        let terminal = output.terminal
        let format = format ?? (terminal == nil ? .ndjson : .table)
        if radar is AgentRadar, let sessions = await agentKeeps(wanted) {
            for session in sessions { try output.write(format == .table ? session.text : session.line) }
            return
        }
        let isLive = format == .table && terminal != nil && Environment.canMoveCursor
        let source: any WatchSource =
            if let agent = agentSource(store, isLive: isLive) {
                agent
            } else {
                try await keeper(store, isLive: isLive, typed)
            }
        if isLive {
            try await SessionScreen(source: source, output: output).run()
        } else {
            let lines = SessionLines(format: format)
            try await LineWatch(source: source, lines: lines, write: { try output.write($0) }).run()
        }
    }

    /// Returns the pairings that the names mean. The words of one name are no several names.
    private func wanted(among pairings: [StoredPairing]) throws(CommandFailure) -> [StoredPairing] {
        do throws(CommandFailure) {
            return try names.map { name throws(CommandFailure) in try name.pairing(among: pairings) }
        } catch {
            let joined = names.map(\.text).joined(separator: " ")
            guard names.count > 1, let name = try? PairedName(joined), (try? name.pairing(among: pairings)) != nil
            else {
                throw error
            }
            throw CommandFailure(
                .usage,
                "quote a name with spaces: clawradar connect \(ShellWord(name: joined)?.description ?? "NAME")"
            )
        }
    }

    /// Returns the agent of this user as a source; `nil` if none runs, or this command has to look for itself.
    private func agentSource(_ store: PairingStore, isLive: Bool) -> AgentSource? {
        // It has no token that was typed here.
        guard isUsual, tokenFile == nil else { return nil }
        return agent.source {
            var keeper = try await keeper(store, isLive: isLive)
            // What the agent has shown stays until there is something in its place.
            keeper.settlesFirst = true
            return keeper
        }
    }

    /// Returns the token that was given, for the one gateway that needs it.
    private func typedTokens(_ wanted: [StoredPairing]) throws(CommandFailure) -> [PairingID: Secret] {
        guard let tokenFile, let pairing = wanted.first else { return [:] }
        guard pairing.needsTypedToken else {
            throw CommandFailure(.usage, "the token of \(pairing.label) is stored: leave --token-file out.")
        }
        return [pairing.id: try SecretOptions.read(tokenFile)]
    }

    /// The time within which an agent has a session, or the reason why not: it keeps trying after it, too.
    private static let agentTimeout = Duration.seconds(5)

    /// The time between two questions to the agent.
    private static let step = Duration.milliseconds(100)

    /// Waits until it is known what has become of the sessions that the agent keeps from now on.
    ///
    /// - Returns: What has become of them so far; `nil` if the agent has ended, so that this command has to connect itself.
    private func agentKeeps(_ pairings: [StoredPairing]) async -> [SessionOfAgent]? {
        let end = ContinuousClock.now + Self.agentTimeout
        while let reports = agent.document("GET", "/api/v1/sessions")?["sessions"]?.array {
            let sessions = pairings.map { SessionOfAgent($0, among: reports) }
            if .now >= end || sessions.allSatisfy(\.isDecided) { return sessions }
            guard (try? await Task.sleep(for: Self.step)) != nil else { return sessions }
        }
        return nil
    }

    /// Returns what keeps the sessions in this process.
    private func keeper(
        _ store: PairingStore,
        isLive: Bool,
        _ typed: [PairingID: Secret] = [:]
    ) async throws -> SessionKeeper {
        // Log lines would disturb the live picture.
        let logger = isLive ? nil : common.logger
        let manual = await ManualGateways(try GatewayOption.configured(), within: .seconds(2))
        for problem in manual.problems { Notes.warning(problem) }
        // Gateways that do not know yet that this device has unpaired from them are looked for, too.
        let (pairings, unaware) = try CommandFailure.translating { () throws(StoreError) in
            (try store.pairings(), try store.unawarePairings())
        }
        let stored = (pairings + unaware).flatMap(\.manualGateways)
        let scanner = try common.makeScanner(
            ScannerConfiguration(manualGateways: manual.gateways + stored, pins: PairedGateways.pins(of: pairings)),
            logger: logger
        )
        return SessionKeeper(store: store, scanner: scanner, logger: logger, typedTokens: typed)
    }
}
