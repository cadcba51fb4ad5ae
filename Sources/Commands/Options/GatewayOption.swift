internal import ArgumentParser
internal import GatewayConfiguration
internal import Scanning

/// The options for gateways that are not advertised, and for asking no gateway at all.
struct GatewayOption: ParsableArguments {
    @Option(
        name: .customLong("gateway"),
        help: ArgumentHelp(
            "Ask this address too; can be repeated.",
            discussion: """
                HOST:PORT, [IPv6]:PORT, or a URL of ws, wss, http or https: for hosts on other networks, and tunnels. \
                More of them come from the variable CLAWRADAR_GATEWAYS (between commas), or where that is not set from \
                the list “gateways” in $XDG_CONFIG_HOME/clawradar/config.yaml.
                """,
            valueName: "address"
        ),
        transform: { try ProbeAddress($0) }
    )
    var typed: [ProbeAddress] = []

    @Flag(name: .customLong("no-probe"), help: "Show what is advertised, and ask nobody anything.")
    var noProbe = false

    func validate() throws {
        if noProbe, !typed.isEmpty {
            throw ValidationError("--no-probe asks nobody; --gateway names somebody to ask. Leave one of them out.")
        }
    }

    /// Returns the addresses that were typed, followed by those that are configured, without duplicates.
    func addresses() async throws(CommandFailure) -> [ProbeAddress] {
        let configured = try await Self.configured()
        var seen: Set<ProbeAddress> = []
        return (typed + configured).filter { seen.insert($0).inserted }
    }

    /// Returns the addresses that are configured.
    static func configured() async throws(CommandFailure) -> [ProbeAddress] {
        let environment = Environment.values(of: ConfiguredGateways.variables)
        do throws(ConfigurationProblem) {
            return try await ConfiguredGateways.addresses(
                environment: environment,
                file: ConfigurationFile(environment: environment),
                warn: Notes.warning
            )
        } catch {
            throw CommandFailure(.usage, error.description)
        }
    }
}
