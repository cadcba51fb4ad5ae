internal import ArgumentParser
internal import Constellation
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Pairing
internal import PairingStore
internal import Reports
internal import Scanning

/// `clawradar pair`: pairs this device with a gateway.
struct PairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pairs this device with a gateway, so that it can connect to it from then on.",
        usage: "clawradar pair <gateway> [<options>]",
        discussion: """
            Shows the gateway with its name, address and bots, and how it would be trusted, and asks for \
            confirmation; --yes gives it in advance. A gateway with TLS is recognized by its certificate from then \
            on. A gateway without TLS proves nothing: it is trusted at its present address (--trust address), or \
            anywhere on this network (--trust lan). --yes does not make this choice.

            Whoever gets a secret can use it, and anybody can use a name and an address. With --yes a token, password \
            or code goes only to a gateway that is proved: by --leaf with the digits of its certificate, as its own \
            host shows them, by a link or setup code that names its certificate, by a host name with a certificate \
            that this system trusts, or by the certificate of an earlier pairing. Without TLS, a code goes to an \
            address that you give. A setup code goes only to the addresses in it.

            An OpenClaw gateway first requires its token, its password or a setup code, and then the approval of its \
            operator, for which pair waits. A setup code also says where the gateway is: pair takes it in place of a name, \
            as eyJ… or oc-pair://…. Behind a join URL, https://HOST/j/CODE, it can be fetched once: pair asks before that. \
            Secrets are read from a prompt, standard input, or a file that nobody \
            else may read, never from the command line.

            EXAMPLES:
              clawradar pair "Home Gateway"
              clawradar pair 192.168.1.50:3000 --bots Jarvis,Friday
              clawradar pair Studio --yes --token-file ~/.studio-token --leaf 5f0c…
              clawradar pair 'optaplus://pair?host=192.168.1.50&port=3000&fp=5f0c…&token=…'
              clawradar pair https://claw.example.org/j/4FqZ…
              openclaw qr --setup-code-only | ssh laptop clawradar pair - --yes

            Exit status: 0 if it is paired; 1 if the gateway refuses, is not on the network, or the time is up; 64 if \
            the command line or the configuration is invalid, or if there is nobody to ask for confirmation; 69 if \
            the store or the network cannot be used; 130 if it was cancelled.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Name, identifier or address of a gateway or bot on the network, or a link or code; - is standard input.",
            valueName: "gateway"
        )
    )
    var gateway: String?

    @Flag(help: "Read the link or code from the clipboard, once.")
    var clipboard = false

    @Option(
        help: ArgumentHelp("The bots to pair with, by name or identifier. Default: all.", valueName: "a,b|all"),
        transform: { try BotChoice($0) }
    )
    var bots: BotChoice?

    @OptionGroup var confirmation: ConfirmationOption

    @Option(
        help: ArgumentHelp(
            "The trust in a gateway without TLS: at its present address, or anywhere on this network (lan).",
            valueName: "extent"
        )
    )
    var trust: PlainTrust?

    @Option(
        help: ArgumentHelp(
            "The SHA-256 of its certificate, 64 hexadecimal digits: no other gateway is paired with.",
            valueName: "digits"
        ),
        transform: { try LeafDigits($0) }
    )
    var leaf: LeafDigits?

    @Option(
        help: ArgumentHelp("The name to store it under. Default: the one that it gives itself.", valueName: "name")
    )
    var name: String?

    @OptionGroup var secrets: SecretOptions

    @Option(
        help: ArgumentHelp(
            "Its address outside of this network, which is stored with the pairing.",
            valueName: "wss://…"
        )
    )
    var remote: String?

    @Option(
        help: ArgumentHelp(
            "The maximum duration in seconds. Default: no limit.",
            valueName: "seconds"
        ),
        transform: { try TimeLimit($0) }
    )
    var timeout: TimeLimit?

    @OptionGroup var format: ReportFormatOption
    @OptionGroup var common: CommonOptions

    /// The time limit for looking for a gateway by its name.
    private static let lookTime = TimeLimit(seconds: 5)

    /// The time for looking for the name of an address.
    private static let nameTime = Duration.seconds(1)

    func validate() throws {
        switch (gateway, clipboard) {
        case (nil, true): break
        case (_?, true): throw ValidationError("Give a gateway or --clipboard, not both.")
        case (nil, false), ("", false):
            throw ValidationError("Give a name, an address such as 192.168.1.50:3000, or a link or code.")
        case ("-", false):
            if secrets.readsStandardInput { throw ValidationError("Standard input has one secret; - was given twice.") }
        case (let gateway?, false):
            do {
                _ = try PairingSubject(gateway)
            } catch {
                throw ValidationError("\(error)")
            }
        }
        if let name, !(1...255).contains(name.utf8.count) { throw ValidationError("--name has 1 to 255 bytes.") }
        guard let remote else { return }
        guard let url = GatewayURL(remote), url.isSecure else {
            throw ValidationError("--remote is an address such as wss://bot.example.org/.")
        }
    }

    func run() async throws {
        let start = ContinuousClock.now
        let subject = try subject()
        var secrets = try secrets.read()
        let store = try StoreAccess.open()
        if let problem = store.keyProblem { throw CommandFailure(problem) }
        let constellation = Constellation()
        let coordinator = store.pairingCoordinator(constellation, common.logger)
        var (target, bot, code) = try await target(subject, constellation, coordinator)
        if let code {
            guard secrets[.setupCode] == nil else {
                throw CommandFailure(.usage, "a setup code was given twice: leave --setup-code-file out.")
            }
            secrets[.setupCode] = code
        }
        if let remote {
            if case .remote = target.place {
                throw CommandFailure(.usage, "this gateway is outside of this network already: leave --remote out.")
            }
            target.remoteURL = GatewayURL(remote)
        }
        if target.pairingToken == nil { target.pairingToken = secrets[.pairingToken] }
        let dialogue = PairingDialogue(
            PairingDialogue.Options(
                bots: bots ?? bot,
                isConfirmed: confirmation.isGiven,
                trust: trust,
                secrets: secrets,
                sendsInClear: self.secrets.sendInClear,
                name: name,
                advertised: { id in await constellation.gateways.first { $0.id == id }?.advertisedLeaves }
            )
        )
        let id = try await pair(target, with: coordinator, dialogue, deadline: timeout.map { start + $0.duration })
        let pairing = try CommandFailure.translating { () throws(StoreError) in try store.pairing(id) }
        guard let pairing else { throw CommandFailure(.ourFault, "what was paired is not in the store") }
        for name in (bots ?? bot)?.missing(among: pairing.bots.map { ($0.id, $0.name) }) ?? [] {
            Notes.warning("it has no bot “\(DisplayText(name, limit: 64))”.")
        }
        // In the OptaPlus dialect the code of --code-file is sent with the first request, so the gateway never asks for
        // it.
        for kind in dialogue.unusedSecrets where kind != .pairingToken || pairing.dialect != .optaplus {
            Notes.warning("it did not ask for that: \(kind.option) is not used.")
        }
        let output = StandardOutput()
        switch format.format {
        case .table: try output.write(PairingTable.text([pairing], width: output.terminal?.columns))
        case .json: try output.write(PairingDocument(PairingReport(pairing)).line)
        }
    }

    // MARK: The target

    /// What the argument, standard input or the clipboard means.
    private func subject() throws -> PairingSubject {
        let (text, source): (String, String)
        if clipboard {
            (text, source) = (try Clipboard.read(), "the clipboard")
        } else if let gateway, gateway != "-" {
            return try PairingSubject(gateway)
        } else {
            let secret = try SecretOptions.ofStandardInput()
            (text, source) = (secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }, "standard input")
        }
        do throws(ArgumentProblem) {
            if let invitation = try PairingSubject.invitation(text) { return .invitation(invitation) }
        } catch {
            throw CommandFailure(.usage, "\(source): \(error.description)")
        }
        throw CommandFailure(.usage, "\(source): expected a link or a code, found something else.")
    }

    /// A gateway that was found, the bot if the argument is the name of one, and the setup code for it.
    private typealias Found = (target: PairingTarget, bot: BotChoice?, code: Secret?)

    /// Finds the gateway that is meant.
    private func target(
        _ subject: PairingSubject,
        _ constellation: Constellation,
        _ coordinator: PairingCoordinator
    ) async throws -> Found {
        switch subject {
        case .invitation(.join(let url)):
            try await confirmation.confirm(
                "Fetch the setup code of a gateway from this host? It can be fetched only once.",
                [url.description]
            )
            let code = try await Self.translating { () async throws(PairingError) in
                try await coordinator.setupCode(behind: url)
            }
            return try await target(of: code, coordinator)
        case .invitation(.setupCode(let code)): return try await target(of: code, coordinator)
        case .invitation(.link(let link)):
            var (target, leftOut) = PairingSubject.target(link, isConfirmed: confirmation.isGiven)
            if let leaf {
                guard target.leaf == nil || target.leaf == leaf.leaf else {
                    throw CommandFailure(.usage, "the link names another certificate than --leaf: nothing was sent.")
                }
                target.demand(leaf.leaf)
            }
            if let leftOut, remote == nil {
                let word = ShellWord("\(leftOut)", limit: GatewayURL.maximumLength)
                Notes.warning(
                    "the link names \(leftOut) for outside of this network. Tokens would go there, too: it is left out, since "
                        + "--yes does not agree to it; --remote \(word) does."
                )
            }
            return (target, nil, nil)
        case .address(let address):
            guard let found = await HostAddresses.of(address.host, within: (timeout ?? Self.lookTime).duration)
            else {
                throw CommandFailure(.nothingFound, "no answer about the name \(address.host)")
            }
            guard !found.isEmpty else { throw CommandFailure(.nothingFound, HostAddresses.absence(of: address.host)) }
            var target = PairingSubject.target(address, addresses: found)
            // Gateways of OpenClaw tell no name, and an address says nothing to whoever reads it a month later.
            if target.name == nil, let first = found.first {
                target.name = await SystemResolver.name(of: first, within: Self.nameTime)
            }
            if let leaf { target.demand(leaf.leaf) }
            return (target, nil, nil)
        case .name(let name):
            let (target, bot) = try await target(called: name, constellation)
            return (target, bot, nil)
        }
    }

    /// Finds the gateway of a setup code: the first of its addresses at which one answers.
    private func target(of code: SetupCode, _ coordinator: PairingCoordinator) async throws -> Found {
        if let leaf, let pin = code.leaf, pin != leaf.leaf {
            throw CommandFailure(.usage, "the code names another certificate than --leaf: nothing was sent.")
        }
        var target = try await Self.translating { () async throws(PairingError) in
            try await coordinator.target(of: code)
        }
        if let leaf { target.demand(leaf.leaf) }
        return (target, nil, code.text)
    }

    private static func translating<Value>(
        _ body: () async throws(PairingError) -> Value
    ) async throws(CommandFailure) -> Value {
        do throws(PairingError) {
            return try await body()
        } catch {
            throw CommandFailure(error)
        }
    }

    private func target(called name: String, _ constellation: Constellation) async throws -> (PairingTarget, BotChoice?)
    {
        let manual = await ManualGateways(try GatewayOption.configured(), within: .seconds(2))
        for problem in manual.problems { Notes.warning(problem) }
        let scanner = try common.makeScanner(
            ScannerConfiguration(manualGateways: manual.gateways, watches: false),
            constellation: constellation,
            logger: common.logger
        )
        let shown = "“\(DisplayText(name, limit: 64))”"
        let lookTime = timeout.map { $0.duration < Self.lookTime.duration ? $0 : Self.lookTime } ?? Self.lookTime
        let search = GatewaySearch(scanner: scanner, timeout: lookTime.duration)
        let leaf = leaf?.leaf
        let result = try await search.run(for: shown) { rows in
            // Only a whole match ends the search early: after a gateway whose name only begins like this, the one with
            // the whole name may still answer.
            let meant = PairingSubject.rows(rows, showing: leaf)
            return !NameSearch.wholeMatches(name, among: PairingSubject.nameables(meant)).isEmpty
        }
        let rows = PairingSubject.rows(result.rows, showing: leaf)
        let things = PairingSubject.nameables(rows)
        guard !NameSearch.matches(name, among: things).isEmpty else {
            let others = NameSearch.matches(name, among: PairingSubject.nameables(result.rows))
            guard others.isEmpty else {
                let message = "\(others[0].label) shows another certificate than --leaf, or none: nothing was sent."
                throw CommandFailure(.nothingFound, message)
            }
            let absence = "no gateway called \(shown) has answered. `clawradar scan` shows what is here."
            throw result.failure(absence, timeout: lookTime)
        }
        let match = try PairingSubject.match(name, among: things, isConfirmed: confirmation.isGiven)
        guard let row = rows.first(where: { $0.id == match.gateway }), let target = PairingTarget(row, leaf: leaf)
        else {
            throw CommandFailure(.nothingFound, "\(shown) does not answer as a gateway.")
        }
        // The digits of a certificate decide between all that use the name.
        if leaf == nil, let doubt = PairingSubject.doubt(name, row, among: rows, within: lookTime) {
            guard !confirmation.isGiven else { throw CommandFailure(.nothingFound, "not paired: \(doubt)") }
            Notes.warning(doubt)
        }
        return (target, match.bot.map { BotChoice(names: [$0.text]) })
    }

    // MARK: Pairing

    private enum Outcome: Sendable {
        case paired(PairingID)
        case failed(PairingError)
        case timedOut
        case interrupted
    }

    private func pair(
        _ target: PairingTarget,
        with coordinator: PairingCoordinator,
        _ dialogue: PairingDialogue,
        deadline: ContinuousClock.Instant?
    ) async throws -> PairingID {
        let outcomes = await withTaskGroup(of: Outcome.self) { group in
            group.addTask {
                // Ends with the pairing.
                async let _: Void = dialogue.countDown { await coordinator.askAgain() }
                do throws(PairingError) {
                    return .paired(try await coordinator.pair(target) { await dialogue.answer($0) })
                } catch {
                    return .failed(error)
                }
            }
            group.addTask {
                await Signals.waitForEnd()
                return .interrupted
            }
            if let deadline {
                group.addTask {
                    try? await Task.sleep(until: deadline, clock: .continuous)
                    return .timedOut
                }
            }
            var outcomes: [Outcome] = []
            for await outcome in group {
                outcomes.append(outcome)
                group.cancelAll()
            }
            return outcomes
        }
        // A pairing that was granted at the last moment is kept, even if the time was up or the user interrupted.
        for case .paired(let id) in outcomes { return id }
        // The first outcome is the reason: after a time-out or an interruption, the cancelled pairing fails as well.
        switch outcomes.first {
        case .failed(let error): throw dialogue.failure ?? CommandFailure(error, dialogue.offer)
        case .timedOut:
            throw CommandFailure(
                .nothingFound,
                "not paired: the time was up while \(dialogue.step).\(dialogue.remainder)"
            )
        case .interrupted, .paired, nil:
            throw CommandFailure(.cancelled, "cancelled; nothing was paired.\(dialogue.remainder)")
        }
    }
}
