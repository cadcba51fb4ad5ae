internal import ArgumentParser
internal import Console

/// `clawradar` itself, which lists its verbs.
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clawradar",
        abstract: "Finds AI gateways on the local network, pairs with them, and advertises a gateway.",
        discussion: """
            Looks for DNS-SD services (multicast DNS), through the system's avahi-daemon or, where none runs, with \
            its own engine, and asks each service what it is.

            EXAMPLES:
              clawradar scan
              clawradar watch
              clawradar scan --gateway wss://bot.example.org
              clawradar probe 192.168.1.50:3000
              clawradar pair "Home Gateway"
              clawradar connect
              clawradar status
              clawradar doctor "Home Gateway"
              clawradar advertise --name "Home Gateway" --port 3000 --fp abc123 --bots 3

            EXIT STATUS:
              0   something was found, or the command succeeded
              1   no gateway answered, or it refused; nothing has this name; the time was up
              64  the command line, the configuration or a recording is invalid; several have the name
              69  no daemon, network, store or secret in a file; the message says what to do
              70  a fault of this program
              74  the results or a recording could not be written
              130 cancelled, or ended by a second Ctrl-C

            Results go to standard output, everything else to standard error. NO_COLOR is honoured.
            """,
        version: CommandLineTool.versionLine,
        groupedSubcommands: [
            CommandGroup(
                name: "Look",
                subcommands: [
                    StatusCommand.self, ScanCommand.self, WatchCommand.self, ProbeCommand.self, BotsCommand.self,
                    TypesCommand.self, PageCommand.self,
                ]
            ),
            CommandGroup(
                name: "Pair",
                subcommands: [
                    PairCommand.self, UnpairCommand.self, PairingsCommand.self, AliasCommand.self, DeviceCommand.self,
                    LinkCommand.self, OpenCommand.self, ApprovalsCommand.self, ApproveCommand.self, RejectCommand.self,
                    AccentCommand.self, MigrateCommand.self, CloudCommand.self,
                ]
            ),
            CommandGroup(
                name: "Stay connected",
                subcommands: [
                    AgentCommand.self, ConnectCommand.self, DisconnectCommand.self, CallCommand.self,
                    AdvertiseCommand.self, ConfigCommand.self,
                ]
            ),
            CommandGroup(
                name: "Be told",
                subcommands: [NotifyCommand.self, MuteCommand.self, HistoryCommand.self]
            ),
            CommandGroup(
                name: "Repair",
                // Those without a help of their own are here, since a group of them alone would hide where help is.
                subcommands: [
                    DoctorCommand.self, TrustCommand.self, ForgetCommand.self, RestoreCommand.self,
                    ArchiveCommand.self, MovedGatewayCommand.self, ReadPictureCommand.self,
                ]
            ),
        ]
    )
}

/// The verbs of ``RootCommand``, for the parsing of a command line that names one.
struct VerbsCommand: ParsableCommand {
    static let configuration = {
        var configuration = RootCommand.configuration
        configuration._superCommandName = ""
        return configuration
    }()
}
