internal import ArgumentParser
internal import DNSSD
internal import Discovery
internal import GatewayProtocol

/// `clawradar advertise`: makes a gateway findable for as long as it runs.
struct AdvertiseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advertise",
        abstract: "Makes a gateway findable, until it is ended.",
        discussion: """
            Says under which name the gateway was published: when the name is taken, it gets another one. When the \
            daemon is not there it says so and waits. Ctrl-C ends it, and withdraws what was published.

            EXAMPLES:
              clawradar advertise --name "Home Gateway" --port 3000 --fp abc123 --bots 3
              clawradar advertise --port 18789 --type _openclaw-gw._tcp --txt role=gateway --txt gatewayTls=1
              clawradar advertise --port 3000 --type _openclaw._tcp,_home --interface eth0

            Exit status: 0 when it was ended, 64 when it cannot be published as given, 69 when the daemon refuses it.
            """
    )

    @Option(help: "Its name, at most 63 bytes. This host's name, if not given.")
    var name: String = HostName.current

    @Option(help: ArgumentHelp("The port at which it listens, 1 to 65535.", valueName: "port"))
    var port: UInt16

    @OptionGroup var gateway: GatewayOptions

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "The service type; can be repeated. Subtypes follow after commas.",
            discussion: "If not given: \(ServiceType.openClaw).",
            valueName: "service-type"
        ),
        transform: { try ServiceType($0) }
    )
    var types: [ServiceType] = []

    @OptionGroup var interface: InterfaceOption
    @OptionGroup var common: CommonOptions

    /// What is to be published.
    func advertisement() throws -> Advertisement {
        Advertisement(
            name: name,
            types: types.isEmpty ? [.openClaw] : types,
            port: port,
            txt: try gateway.record(name: name),
            interfaces: Set(interface.interfaces)
        )
    }

    func run() async throws {
        let advertisement = try advertisement()
        let advertiser: Advertiser
        do {
            advertiser = try Advertiser(advertisement, backend: try common.makeBackend(logger: common.logger))
        } catch {
            throw CommandFailure(error)
        }
        if name.utf8.contains(UInt8(ascii: "\"")) {
            Notes.warning("the name has a quotation mark, at which some programs that read avahi-browse stumble.")
        }
        try await Publication(
            advertiser: advertiser,
            text: PublicationText(advertisement),
            write: { try StandardOutput().write($0) }
        ).run()
    }
}
