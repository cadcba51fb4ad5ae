internal import ArgumentParser

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
        version: CommandLineTool.version,
        subcommands: [
            ScanCommand.self, WatchCommand.self, ProbeCommand.self, DoctorCommand.self, BotsCommand.self,
            StatusCommand.self,
            PairCommand.self, UnpairCommand.self, PairingsCommand.self, LinkCommand.self, MigrateCommand.self,
            ConnectCommand.self,
            DisconnectCommand.self, ApprovalsCommand.self, ApproveCommand.self, RejectCommand.self,
            CallCommand.self,
            TrustCommand.self, AliasCommand.self, ForgetCommand.self, RestoreCommand.self, ArchiveCommand.self,
            DeviceCommand.self,
            AdvertiseCommand.self, AgentCommand.self, HistoryCommand.self, MuteCommand.self, NotifyCommand.self,
            ConfigCommand.self, MovedGatewayCommand.self, ReadPictureCommand.self,
        ]
    )
}
