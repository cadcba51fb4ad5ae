internal import Agent
internal import AgentAPI
internal import ArgumentParser
internal import Console
internal import CoreMetrics
internal import HostSystem
internal import Scanning

/// `clawradar agent`: everything that looks, keeps and advertises, once for the user and for as long as it runs.
struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Runs in the background: looks for gateways, and keeps this device connected.",
        usage: "clawradar agent [<options>]",
        discussion: """
            Looks for gateways as `clawradar watch` does, keeps the sessions with paired gateways as `clawradar connect` \
            does, and advertises the gateways of this host that are named, all for as long as it runs. It stays in the \
            foreground, for a service manager or a terminal, and says on standard error what has changed. A part that \
            cannot work is no failure: it says why, and is tried again. Ctrl-C or SIGTERM ends it. There is one agent \
            for each user.

            The settings are read from $XDG_CONFIG_HOME/clawradar/config.yaml (see \
            `clawradar config --help`), and again when that file changes or SIGHUP comes. What is wrong in it is said, \
            and what was in force stays so.

            EXAMPLES:
              clawradar agent
              clawradar agent --advertise 127.0.0.1:18789
              clawradar agent status
              clawradar agent --port 7417
              clawradar agent install

            Exit status: 0 if it was ended, 64 if the command line or the configuration is invalid, 69 if another \
            agent of this user runs, or there is no place for its socket.
            """,
        subcommands: [
            AgentStatusCommand.self, AgentTokenCommand.self, AgentInstallCommand.self, AgentUninstallCommand.self,
        ]
    )

    @Option(
        help: ArgumentHelp(
            "Advertise the gateway of this host that answers here, while it does; can be repeated.",
            discussion: "Replaces the list “advertise” of the configuration.",
            valueName: "address"
        ),
        transform: { try ProbeAddress($0) }
    )
    var advertise: [ProbeAddress] = []

    @Option(
        help: ArgumentHelp(
            "Write metrics to this file every 15 seconds, for node_exporter.",
            valueName: "file"
        ),
        completion: .file()
    )
    var metricsFile: String?

    @Option(
        help: ArgumentHelp(
            "Also answer at this port of 127.0.0.1, such as 7417.",
            discussion: "Whoever asks there has to have the token of `clawradar agent token --read`.",
            valueName: "port"
        )
    )
    var port: UInt16?

    @Flag(
        name: .customLong("shared"),
        help: ArgumentHelp(
            "Let the group of the folder $RUNTIME_DIRECTORY ask at its socket, too.",
            discussion: "Its members may change pairings. `clawradar agent install --system` uses it."
        )
    )
    var isShared = false

    @Flag(
        help: ArgumentHelp(
            "Print what the site of the settings would publish now, and who would know, for nsupdate; run nothing.",
            discussion: "Takes the gateways that a running agent of this user knows; without one, looks for 5 seconds."
        )
    )
    var dryRun = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if dryRun, !advertise.isEmpty || metricsFile != nil || port != nil || isShared {
            throw ValidationError("With --dry-run nothing is run; leave out what would be.")
        }
        _ = try advertised
        if port == 0 { throw ValidationError("--port: expected a port from 1 to 65535, found 0.") }
    }

    /// Locates the folder that a service manager has made for the agent and its group.
    private static func sharedPlace() throws(CommandFailure) -> AgentPlace {
        let name = "RUNTIME_DIRECTORY"
        let environment = Environment.values(of: [name])
        guard environment[name]?.hasPrefix("/") == true else {
            throw CommandFailure(
                .unavailable,
                "--shared: expected a folder in \(name), which systemd makes for a unit with RuntimeDirectory=, found none"
            )
        }
        return AgentPlace(environment: environment).shared
    }

    private var advertised: [AdvertisedGateway] {
        get throws {
            do throws(ConfigurationProblem) {
                var gateways: [AdvertisedGateway] = []
                for address in advertise { try gateways.add(try AdvertisedGateway(address)) }
                return gateways
            } catch {
                throw ValidationError("--advertise: \(error).")
            }
        }
    }

    func run() async throws {
        var configuration = AgentConfiguration(
            version: CommandLineTool.version,
            environment: Environment.values(of: AgentConfiguration.variables),
            backend: common.backend.choice
        )
        configuration.settingsFile =
            ConfigurationFile(environment: Environment.values(of: ConfigurationFile.variables))?.path
        if isShared { configuration.place = try Self.sharedPlace() }
        if port != nil { _ = try AgentTokenCommand.token() }
        let reader = SettingsReader(advertised: try advertised, port: port, metricsFile: metricsFile)
        var unread: String?
        let stamp = ConfigurationPart.stamp
        do throws(ConfigurationError) {
            configuration.userSettings = try reader.settings { unread = $0 }
        } catch {
            throw CommandFailure.misconfigured(error)
        }
        if dryRun { return try await SitePreview(common).print(configuration.userSettings) }
        let trouble = unread
        MetricsSystem.bootstrap(MetricsRegistry())
        let log = LogWriter()
        let logger = AgentLogHandler.logger(isVerbose: common.verbose, log)
        let agent = Agent(configuration, logger: logger)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await Signals.waitForEnd() }
                if Orphans.areOurs { group.addTask { try await Orphans.reap() } }
                group.addTask { await CrowdTide.follow(agent.constellation) }
                group.addTask {
                    let server = AgentServer(agent, logger: logger)
                    let configuration = ConfigurationPart(reader, agent, trouble: trouble, stamp: stamp)
                    let parts = [server.part, configuration.part, log.part]
                    try await agent.run(with: parts) { Self.part($0, of: agent, server) }
                }
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch let error as AgentError {
            await log.finish(within: .seconds(1))
            throw CommandFailure(.unavailable, error.description)
        }
        await log.finish(within: .seconds(1))
    }

    /// Makes a part that the settings ask for.
    private static func part(_ wanted: SettingPart, of agent: Agent, _ server: AgentServer) -> AgentPart? {
        switch wanted {
        case .advertiser, .foundAdvertiser, .unadvertised, .site: return nil
        case .metricsFile(let path): return MetricsFile(path, of: agent).part
        case .port(let port): return Self.part(port, server)
        case .page: return Self.part(0, server)
        }
    }

    private static func part(_ port: UInt16, _ server: AgentServer) -> AgentPart {
        do throws(CommandFailure) {
            return server.part(port: port, token: try AgentTokenCommand.token())
        } catch {
            return AgentPart(AgentServer.name(ofPartAt: port)) { [error] _ in throw PartEnd(description: error.message)
            }
        }
    }
}
