internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Logging
internal import ReferenceGateway

/// `reference-gateway`: runs a small gateway for trying out clients.
struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference-gateway",
        abstract: "Runs a small gateway for trying out clients, until it is ended.",
        usage: "reference-gateway [<options>]\nreference-gateway <verb> …",
        discussion: """
            It reports its bots, pairs every device that asks (with --pairing code, every device that has a code), \
            and advertises itself. With --dialect openclaw, bridge or clawline, devices wait until they are approved with one of the \
            verbs below. With --dialect openagents, each needs the gateway's one token. The verbs reach the gateway through a socket beside its --state, or by its --port if it was \
            started without --state. Requests and their senders are logged to standard error. The dialects optaplus, \
            openclaw and bridge use TLS, with a certificate that is made once, kept with the state and never renewed; its \
            SHA-256 is the fingerprint. Without TLS, others on the network can read tokens. Ctrl-C ends it.

            A gateway that listens only on loopback is not advertised, since no other host could reach it.

            EXAMPLES:
              reference-gateway --name "Home Gateway" --bot bot-1=Jarvis:🤖 --bot bot-2=Friday
              reference-gateway --host :: --state gateway.json
              reference-gateway --dialect openclaw --misbehave slow
              reference-gateway --dialect openclaw --host :: --state openclaw.json --approve ask --era 2026.4
              reference-gateway approve 5b0e6f6e --state openclaw.json

            Exit status: 0 if it was ended, 64 if it cannot be run as given, 69 if it cannot listen on the address, \
            74 if its state cannot be written. Of the verbs: 0 on success, 1 if there is no such request or device, \
            69 if no gateway answers.
            """,
        version: CommandLineTool.versionLine,
        subcommands: [
            GatewayVerbs.Devices.self, GatewayVerbs.Approve.self, GatewayVerbs.Reject.self, GatewayVerbs.Revoke.self,
            GatewayVerbs.Code.self, GatewayVerbs.Readiness.self,
        ]
    )

    @Option(help: "Its name, at most 63 bytes. Default: that in the state, or this host's.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The port on which it listens; 0 takes any free one. Default: the dialect's, such as 3000.",
            valueName: "port"
        )
    )
    var port: UInt16?

    @Option(
        help: ArgumentHelp(
            "The address on which it listens: 127.0.0.1, 0.0.0.0 (all of IPv4), :: (all) or one of this host.",
            valueName: "address"
        ),
        transform: { text in
            guard let address = IPAddress(text) else {
                throw ArgumentProblem("An address to listen on looks like 127.0.0.1, 0.0.0.0 or ::.")
            }
            return address
        }
    )
    var host = IPAddress.v4(IPv4Address(bits: 0x7F00_0001))

    @Option(
        help: ArgumentHelp(
            "A JSON file that lists its bots: [{\"botId\":…,\"name\":…,\"emoji\":…}].",
            valueName: "file"
        ),
        completion: .file()
    )
    var bots: String?

    @Option(
        help: ArgumentHelp("A bot; can be repeated.", valueName: "id=Name:emoji"),
        transform: { try BotArgument($0) }
    )
    var bot: [BotArgument] = []

    @Option(
        help: ArgumentHelp(
            """
            The file that stores fingerprint, name, bots and pairings. Without it, they are lost when the gateway \
            ends.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var state: String?

    @Option(
        help: ArgumentHelp(
            "Its fingerprint, 1 to 128 bytes, which then proves nothing.",
            discussion: "Default: the SHA-256 of its certificate; without TLS, that in the state or a new one.",
            valueName: "fingerprint"
        ),
        transform: { text in
            guard let fingerprint = GatewayFingerprint(text) else {
                throw ArgumentProblem("A fingerprint has 1 to 128 bytes.")
            }
            return fingerprint
        }
    )
    var fp: GatewayFingerprint?

    @Flag(help: "Do not use TLS: others on the network can read tokens.")
    var plain = false

    @Option(
        help: ArgumentHelp(
            "The protocol that it speaks: \(GatewayDialect.words). Default: optaplus.",
            valueName: "dialect"
        ),
        completion: .list(GatewayDialect.allCases.map(\.rawValue)),
        transform: { try EnumOption.value(GatewayDialect(name: $0), "A dialect") }
    )
    var dialect: GatewayDialect = .optaplus

    @Option(
        help: ArgumentHelp(
            "Misbehave on purpose: \(Misbehaviour.words).",
            valueName: "how"
        ),
        completion: .list(Misbehaviour.allCases.map(\.rawValue)),
        transform: { try EnumOption.value(Misbehaviour(rawValue: $0), "A misbehaviour") }
    )
    var misbehave: Misbehaviour?

    @Flag(help: "Do not advertise it.")
    var noAdvertise = false

    @Flag(help: "Advertise it even if other hosts cannot reach it.")
    var force = false

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "The service type under which it is advertised; can be repeated.",
            discussion: "If not given: the dialect's, such as \(ServiceType.openClaw).",
            valueName: "service-type"
        ),
        completion: .list(ServiceType.gatewayTypes.map(\.description)),
        transform: { try ServiceType($0) }
    )
    var types: [ServiceType] = []

    @OptionGroup var access: GatewayAccessOptions

    @OptionGroup var common: CommonOptions

    /// The ports of gateways that were started without `--port`.
    static let usualPorts = [
        GatewayDialect.optaplus.usualPort, GatewayDialect.openClaw.usualPort, GatewayDialect.clawline.usualPort,
        GatewayDialect.bridge.usualPort,
    ]

    /// Returns the control sockets of the running gateway that these options name, or those after a verb.
    func operation(_ place: GatewayPlaceOptions) -> GatewayOperation {
        GatewayOperation(state: place.state ?? state, ports: (place.port ?? port).map { [$0] } ?? Self.usualPorts)
    }

    func validate() throws {
        try access.validate(for: dialect)
        if bots != nil, !bot.isEmpty {
            throw ValidationError("Give the bots with --bots or with --bot, not with both.")
        }
        guard Set(bot.map(\.bot.id)).count == bot.count else {
            throw ValidationError("Each bot has an identifier of its own; one of --bot was given twice.")
        }
        guard bot.count <= DiscoverPayload.maximumBots else {
            throw ValidationError("A gateway has at most \(DiscoverPayload.maximumBots) bots.")
        }
        if let name {
            guard (1...63).contains(name.utf8.count), !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw ValidationError("A name has 1 to 63 bytes and no control characters (RFC 6763 §4.1.1).")
            }
        }
    }

    /// Returns the state that the gateway starts with: the stored state with the changes from the options.
    func initialState(kept: GatewayState?) throws -> GatewayState {
        var state: GatewayState
        if let kept {
            state = kept
        } else {
            let random = String(UInt64.random(in: .min ... .max), radix: 16)
            guard let fingerprint = GatewayFingerprint("clawradar-\(random)"),
                let example = BotID("bot-1")
            else { throw CommandFailure(.ourFault, "a fingerprint could not be made") }
            let jarvis = BotDescription(id: example, name: "Jarvis", emoji: "🤖", status: "online")
            state = GatewayState(fingerprint: fingerprint, name: SystemHostName.current, bots: [jarvis])
        }
        if let name { state.name = name }
        if let bots { state.bots = try StateFile(path: bots).readBots() }
        if !bot.isEmpty { state.bots = bot.map(\.bot) }
        if let fp { state.fingerprint = fp }
        return state
    }

    /// Gives the gateway a certificate if it uses TLS and has none yet, and makes the hash of the certificate its
    /// fingerprint unless `--fp` was given.
    ///
    /// - Returns: The certificate to present; `nil` without TLS.
    func secure(_ state: inout GatewayState) throws(ReferenceGatewayError) -> GatewayCertificate? {
        guard !plain, let name = dialect.certificateName else { return nil }
        let certificate: GatewayCertificate
        if let kept = state.certificate {
            certificate = kept
        } else {
            certificate = try .make(commonName: name)
            state.certificate = certificate
        }
        if fp == nil, let hash = GatewayFingerprint("\(certificate.fingerprint)") { state.fingerprint = hash }
        return certificate
    }

    /// The reason not to advertise the gateway; `nil` if it is to be advertised.
    var reasonNotToAdvertise: String? {
        if noAdvertise { return "--no-advertise was given" }
        if types.isEmpty, dialect.serviceType == nil {
            return "gateways of the dialect \(dialect.rawValue) are not; --type advertises it"
        }
        guard !force else { return nil }
        if host.isLoopback {
            return "no other host could reach it; --force insists"
        }
        // An advertisement lists all addresses of a host, but the gateway would listen on only one of them.
        guard host.isUnspecified else { return "it listens on one address of several; --force insists" }
        return nil
    }

    func run() async throws {
        do {
            let file = state.map { StateFile(path: $0) }
            var state = try initialState(kept: try file?.read())
            let certificate = try secure(&state)
            state.demandsPairingCode = access.pairing == .code
            if dialect == .openClaw {
                state.openClaw.settings = try access.openClawSettings(host: host)
                state.openClaw.readyAt = GatewayTime.now.uptime + access.starting * 1_000
            }
            if dialect.hasOneToken {
                state.openAgentsToken = try access.tokenFile.map { path throws(ReferenceGatewayError) in
                    try SecretFile.read(path)
                }
            }
            state.clawline.approvesAll = access.approve == .auto
            state.bridge.approvesAll = access.approve == .auto
            var logger = Logger(label: "clawradar.gateway") { _ in ToolLogHandler() }
            logger.logLevel = common.verbose ? .debug : .info
            var configuration = GatewayServerConfiguration(
                endpoint: Endpoint(address: host, port: port ?? dialect.usualPort),
                dialect: dialect,
                certificate: certificate,
                misbehaviour: misbehave,
                file: file
            )
            configuration.readiness = ReadinessPages(access.readiness)
            configuration.secretLog = try access.logSecrets.map { path throws(ReferenceGatewayError) in
                try SecretLog(path: path)
            }
            configuration.draw = { LinkPicture.svg(of: $0) }
            if host.isUnspecified { configuration.hostName = "\(SystemHostName.current).local" }
            try await GatewayServer.withServer(state, configuration, logger: logger) { [state] server in
                try await serve(server, state, certificate?.fingerprint)
            }
        } catch let error as ReferenceGatewayError {
            let status: ExitCode =
                switch error.code {
                case .unreadableState: .usage
                case .unwritableState: .outputFailed
                case .noCertificate: .ourFault
                default: .unavailable
                }
            throw CommandFailure(status, error.message)
        }
    }
}
