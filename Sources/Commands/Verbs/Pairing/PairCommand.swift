internal import Agent
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// `clawradar pair`: pairs this device with a gateway.
struct PairCommand: AsyncParsableCommand, AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "pair",
        abstract: "Pairs this device with a gateway, so that it can connect to it from then on.",
        usage: "clawradar pair <gateway> [<options>]",
        discussion: """
            Shows the gateway with its name, address and bots, and how it would be trusted, and asks for \
            confirmation; --yes gives it in advance. A gateway with TLS is recognized by its certificate from then \
            on. A gateway without TLS proves nothing: it is trusted at its present address (--trust address), or \
            anywhere on this network (--trust lan). Where it is reached through a tunnel, it is trusted as the machine that \
            Tailscale on this host names for its address (--trust tailnet), or as whoever is at the other end of a WireGuard \
            interface (--trust tunnel). --yes does not make this choice.

            Whoever gets a secret can use it, and anybody can use a name and an address. With --yes a token, password \
            or code goes only to a gateway that is proved: by --certificate with the digits of its certificate, as its own \
            host shows them, by a link or setup code that names its certificate, by a host name with a certificate \
            that this system trusts, or by the certificate of an earlier pairing. Without TLS, a code goes to an \
            address that you give. A setup code goes only to the addresses in it.

            An OpenClaw gateway first requires its token, its password or a setup code, and then the approval of its \
            operator, for which pair waits. A setup code also says where the gateway is: pair takes it in place of a name, \
            as eyJ… or oc-pair://…. Behind a join URL, https://HOST/j/CODE, it can be fetched once: pair asks before that. \
            An OpenAgents gateway has one token for all devices: it is stored for a gateway with TLS; without, it goes to \
            local networks alone, with --send-in-clear, and is given again for each session (connect --token-file). \
            Secrets are read from a prompt, standard input, or a file that nobody else may read, never from the command line.

            EXAMPLES:
              clawradar pair "Home Gateway"
              clawradar pair 192.168.1.50:3000 --bots Jarvis,Friday
              clawradar pair Studio --yes --token-file ~/.studio-token --certificate 5f0c…
              clawradar pair 'optaplus://pair?host=192.168.1.50&port=3000&fp=5f0c…&token=…'
              clawradar pair https://claw.example.org/j/4FqZ…
              clawradar pair --qr photo.png
              clawradar pair Studio --as-admin
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
        name: .customLong("qr"),
        help: ArgumentHelp("Read the link or code from a QR code in this picture, a PNG or PNM.", valueName: "picture"),
        completion: .file()
    )
    var picture: String?

    @Option(
        help: ArgumentHelp("The bots to pair with, by name or identifier. Default: all.", valueName: "a,b|all"),
        transform: { try BotChoice($0) }
    )
    var bots: BotChoice?

    @OptionGroup var confirmation: ConfirmationOption

    @Option(
        help: ArgumentHelp(
            "The trust in a gateway without TLS: at its present address, or anywhere on this network (lan); over a tailnet or a WireGuard interface, tailnet or tunnel.",
            valueName: "extent"
        )
    )
    var trust: PlainTrust?

    @Option(
        name: [.customLong("certificate"), .customLong("leaf")],
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

    @Option(
        help: ArgumentHelp(
            "The name under which this device asks a Clawline provider. Default: that of clawradar device.",
            valueName: "name"
        )
    )
    var claim: String?

    @OptionGroup var secrets: SecretOptions

    @Flag(
        help: """
            Ask an OpenClaw gateway to let this device approve and reject other devices there: for operator.admin, which \
            opens everything.
            """
    )
    var asAdmin = false

    @Flag(
        help: "Ask an OpenClaw gateway to let this device do everything there; link then makes setup codes for others."
    )
    var asOwner = false

    @Option(
        help: ArgumentHelp(
            "Its address outside of this network, which is stored with the pairing.",
            valueName: "wss://…"
        )
    )
    var remote: String?

    @Option(
        help: .time("The maximum duration", default: "no limit"),
        transform: { try TimeLimit($0) }
    )
    var timeout: TimeLimit?

    @OptionGroup var format: ReportFormatOption
    @OptionGroup var agent: AgentOption
    @OptionGroup var common: CommonOptions

    func validate() throws {
        switch (gateway, clipboard || picture != nil) {
        case (nil, true):
            if clipboard, picture != nil { throw ValidationError("Give --clipboard or --qr, not both.") }
        case (_?, true):
            throw ValidationError("Give a gateway or \(clipboard ? "--clipboard" : "--qr"), not both.")
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
        if let claim, !(1...64).contains(claim.utf8.count) || DisplayText(claim).text != claim {
            throw ValidationError("--claim has 1 to 64 bytes and no invisible characters.")
        }
        if asAdmin, asOwner { throw ValidationError("Give --as-admin or --as-owner, not both: an owner is an admin.") }
        guard let remote else { return }
        guard let url = GatewayURL(remote), url.isSecure else {
            throw ValidationError("--remote is an address such as wss://bot.example.org/.")
        }
    }

    func run() async throws {
        let start = ContinuousClock.now
        let subject = try subject()
        var secrets = try secrets.read()
        // A join URL can be fetched once: nothing that is wrong here may cost it.
        if subject.hasCode, secrets[.setupCode] != nil {
            throw CommandFailure(.usage, "a setup code was given twice: leave --setup-code-file out.")
        }
        let store = try StoreAccess.open()
        if let problem = store.keyProblem { throw CommandFailure(problem) }
        let constellation = Constellation()
        let coordinator = store.pairingCoordinator(constellation, version: CommandLineTool.version, common.logger)
        let found = try await target(subject, constellation, coordinator)
        var (target, bot) = (found.target, found.bot)
        if let code = found.code { secrets[.setupCode] = code }
        if let remote {
            if case .remote = target.place {
                let message = "this gateway is outside of this network already"
                guard subject.hasCode else { throw CommandFailure(.usage, "\(message): leave --remote out.") }
                Notes.warning("\(message): --remote is not used.")
            } else {
                target.remoteURL = GatewayURL(remote)
            }
        }
        let rights: DeviceRights = asOwner ? .owner : asAdmin ? .admin : .member
        target.rights = rights
        target.claimedName = claim
        if target.pairingToken == nil { target.pairingToken = secrets[.pairingToken] }
        let dialogue = PairingDialogue(
            PairingDialogue.Options(
                bots: bots ?? bot,
                isConfirmed: confirmation.isGiven,
                trust: trust,
                usualTrust: SettingsReader.settingsOrWarnings().trust.value.map(PlainTrust.init),
                secrets: secrets,
                sendsInClear: self.secrets.sendInClear,
                rights: rights,
                name: name,
                advertised: { [row = found.row] id in
                    // The agent has found it, and not this process.
                    if let row, row.id == id { return row.advertisedLeaves }
                    return await constellation.gateways.first { $0.id == id }?.advertisedLeaves
                }
            )
        )
        let deadline = timeout.map { start + $0.duration }
        let id = try await notingSpentURL(of: subject) { [target] in
            try await pair(target, with: coordinator, dialogue, deadline: deadline)
        }
        let pairing = try CommandFailure.translating { () throws(StoreError) in try store.pairing(id) }
        guard let pairing else { throw CommandFailure(.ourFault, "what was paired is not in the store") }
        for name in (bots ?? bot)?.missing(among: pairing.bots.map { ($0.id, $0.name) }) ?? [] {
            Notes.warning("it has no bot \(DisplayText(name, limit: 64).quoted).")
        }
        switch rights {
        case .member: break
        case .admin:
            if !pairing.isOwned { Notes.warning("it has not made this device an admin.") }
        case .owner:
            if !pairing.isOwned { Notes.warning("it has not made this device an owner.") }
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
        if pairing.needsTypedToken {
            Notes.note(
                "without TLS its token is not kept. For each session: clawradar connect \(pairing.shortID) "
                    + StoredPairing.typingOptions
            )
        } else if format.format == .table, agent.noAgent || !AgentOption.isRunning {
            Notes.write("\(NextStep.install)\n")
        }
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
