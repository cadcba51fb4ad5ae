internal import Agent
internal import ArgumentParser
internal import Console
internal import Scanning

/// The options for gateways that are not advertised, and for asking no gateway at all.
struct GatewayOption: ParsableArguments {
    @Option(
        name: .customLong("gateway"),
        help: ArgumentHelp(
            "Also ask this address; can be repeated.",
            discussion: """
                HOST:PORT, HOST, [IPv6]:PORT, or a URL with ws, wss, http or https; for hosts on other networks, and \
                tunnels. A host without a port is asked at the usual ports. More addresses are read from the variable CLAWRADAR_GATEWAYS (separated by commas) or, if it \
                is not set, from the list “gateways” in $XDG_CONFIG_HOME/clawradar/config.yaml.
                """,
            valueName: "address"
        ),
        transform: { try ProbeAddress(orHost: $0) }
    )
    var typed: [ProbeAddress] = []

    @Flag(name: .customLong("no-probe"), help: "Show what is advertised, without asking any gateway.")
    var noProbe = false

    func validate() throws {
        if noProbe, !typed.isEmpty {
            throw ValidationError("--no-probe asks no gateway, and --gateway names one to ask. Leave one of them out.")
        }
    }

    /// Returns the addresses that were typed, followed by those that are configured, without duplicates.
    func addresses() throws(CommandFailure) -> [ProbeAddress] {
        let configured = try Self.configured()
        var seen: Set<ProbeAddress> = []
        return (typed + configured).filter { seen.insert($0).inserted }
    }

    /// Returns the addresses that are configured.
    static func configured() throws(CommandFailure) -> [ProbeAddress] {
        let environment = Environment.values(of: Settings.variables)
        do throws(ConfigurationError) {
            return try Settings.gateways(
                environment: environment,
                file: ConfigurationFile(environment: environment),
                warn: SettingsReader.noteWhatIsLeftOut
            )
        } catch {
            throw CommandFailure.misconfigured(error)
        }
    }
}
