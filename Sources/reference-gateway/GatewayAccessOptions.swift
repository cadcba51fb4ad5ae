internal import ArgumentParser
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import ReferenceGateway

/// The options of `reference-gateway` that determine which devices may pair.
struct GatewayAccessOptions: ParsableArguments {
    /// A condition under which a device of the OptaPlus dialect may pair.
    enum PairingCondition: String, ExpressibleByArgument, CaseIterable {
        /// No further condition: every device that asks is paired.
        case open
        /// The device has the one-time code.
        case code
    }

    /// The way in which the devices of an OpenClaw gateway are approved.
    enum Approval: String, ExpressibleByArgument, CaseIterable {
        /// Devices wait until the operator approves them.
        case ask
        /// Each device is approved at once.
        case auto
    }

    @Option(
        help: ArgumentHelp(
            "optaplus: open pairs every device that asks; code requires a one-time code, which is printed.",
            discussion: "A code is good for 5 minutes and one device. Default: open.",
            valueName: "condition"
        )
    )
    var pairing: PairingCondition?

    @Option(
        help: ArgumentHelp(
            "openclaw, bridge, clawline: ask makes devices wait for `reference-gateway approve`; auto approves each at once.",
            discussion: "Default: ask.",
            valueName: "how"
        )
    )
    var approve: Approval?

    @Option(
        help: ArgumentHelp(
            "openclaw: the release that it behaves as: \(OpenClawEra.words).",
            discussion: "Default: \(OpenClawEra.july2026.rawValue).",
            valueName: "release"
        ),
        completion: .list(OpenClawEra.allCases.map(\.rawValue)),
        transform: { try EnumOption.value(OpenClawEra(rawValue: $0), "A release") }
    )
    var era: OpenClawEra?

    @Option(
        help: ArgumentHelp(
            "openclaw, openagents: a file (0600) with its token, which unknown devices need.",
            discussion: """
                openclaw: with neither token nor password, none is needed on loopback; elsewhere devices come with a setup \
                code, which is printed. openagents: without it, no token is right.
                """,
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp("openclaw: the same with a password instead.", valueName: "file"),
        completion: .file()
    )
    var passwordFile: String?

    @Option(
        help: ArgumentHelp(
            """
            For tests: log every secret that it receives, with its sender, in this file (0600), one JSON object per \
            line.
            """,
            valueName: "file"
        ),
        completion: .file()
    )
    var logSecrets: String?

    @Option(
        help: ArgumentHelp(
            "openclaw, for tests: seconds for which it says that it is starting, as release 2026.7 does.",
            valueName: "seconds",
            visibility: .hidden
        )
    )
    var starting = 0

    @Option(
        help: ArgumentHelp(
            "openclaw: what it says of its readiness: \(ReadinessPages.Play.words).",
            discussion: "Default: ready. `reference-gateway readiness` changes it.",
            valueName: "what"
        ),
        completion: .list(["ready", "starting", "draining", "failing", "forbidden", "missing", "page"]),
        transform: { try ReadinessPages.Play.read($0) }
    )
    var readiness = ReadinessPages.Play.ready

    /// Checks that the options fit the dialect and each other.
    func validate(for dialect: GatewayDialect) throws {
        guard (0...3_600).contains(starting) else { throw ValidationError("--starting takes 0 to 3600 seconds.") }
        if starting > 0, dialect != .openClaw { throw ValidationError("--starting needs --dialect openclaw.") }
        if era != nil || passwordFile != nil, dialect != .openClaw {
            throw ValidationError("--era and --password-file need --dialect openclaw.")
        }
        if tokenFile != nil, dialect != .openClaw, !dialect.hasOneToken {
            throw ValidationError("--token-file needs --dialect openclaw or openagents.")
        }
        if approve != nil, !dialect.hasApprovals {
            throw ValidationError("--approve needs --dialect openclaw, bridge or clawline.")
        }
        if readiness != .ready, dialect != .openClaw {
            throw ValidationError("--readiness needs --dialect openclaw.")
        }
        if pairing != nil, dialect != .optaplus { throw ValidationError("--pairing needs the dialect optaplus.") }
        if tokenFile != nil, passwordFile != nil {
            throw ValidationError("A gateway has a token or a password, not both.")
        }
    }

    /// Returns the settings of an OpenClaw gateway that listens at an address.
    func openClawSettings(host: IPAddress) throws(ReferenceGatewayError) -> OpenClawSettings {
        var settings = OpenClawSettings(era: era ?? .july2026, approvesAll: approve == .auto)
        if let tokenFile {
            settings.authentication = .token(try SecretFile.read(tokenFile))
        } else if let passwordFile {
            settings.authentication = .password(try SecretFile.read(passwordFile))
        } else if !host.isLoopback {
            // A random token that nobody knows: devices come with a setup code instead.
            settings.authentication = .token(Secret(bytes: (0..<32).map { _ in UInt8.random(in: 0x21...0x7E) }))
        }
        return settings
    }

    /// Indicates whether the gateway prints a code when it starts.
    func startsWithCode(_ dialect: GatewayDialect, host: IPAddress) -> Bool {
        switch dialect {
        case .optaplus: pairing == .code
        case .openClaw: tokenFile == nil && passwordFile == nil && !host.isLoopback
        case .bridge, .openAgents, .clawline: false
        }
    }
}
