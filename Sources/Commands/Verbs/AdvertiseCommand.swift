internal import Advertising
internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import HostSystem
internal import Scanning

/// `clawradar advertise`: advertises a gateway for as long as the command runs.
struct AdvertiseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "advertise",
        abstract: "Advertises a gateway, until it is ended.",
        usage: "clawradar advertise (--gateway <address> | --port <port>) [<options>]",
        discussion: """
            With --gateway, the gateway is asked for its name, fingerprint and bots, and these are advertised for as \
            long as it answers and other hosts can reach it. When it stops answering, it is withdrawn within 5 \
            seconds, and published again when it is back. Without --gateway, the given values are advertised, whether \
            or not they are true.

            Prints the name under which the gateway was published; if the name is taken, it gets another one. If the \
            daemon is not running, advertise says so and waits for it. Ctrl-C ends it, and withdraws what was \
            published.

            With --zone, it is published in that domain by unicast DNS, where those find it whom multicast does not \
            reach, and nowhere else.

            EXAMPLES:
              clawradar advertise --gateway ws://127.0.0.1:3000
              clawradar advertise --gateway wss://127.0.0.1:18789 --name Studio --interface eth0
              clawradar advertise --name "Home Gateway" --port 3000 --fp abc123 --bots 3
              clawradar advertise --port 18789 --type _openclaw-gw._tcp --txt role=gateway --txt gatewayTls=1
              clawradar advertise --port 3000 --type _openclaw._tcp,_home --interface eth0
              clawradar advertise --gateway localhost:3000 --zone kitchen.example.org --tsig-key site1.key

            Exit status: 0 if it was ended, 64 if the gateway cannot be published as given, 69 if the daemon refuses \
            it.
            """
    )

    @Option(
        name: .customLong("gateway"),
        help: ArgumentHelp(
            "Ask the gateway of this host at this address, and advertise what it says.",
            discussion: "HOST:PORT, [IPv6]:PORT, or a URL with ws, wss, http or https and without a path.",
            valueName: "address"
        ),
        transform: { try ProbeAddress($0) }
    )
    var address: ProbeAddress?

    @Option(
        help: """
            Its name, at most 63 bytes. Default: this host's name. With --gateway, only for a gateway that reports no \
            name.
            """
    )
    var name: String?

    @Option(
        help: ArgumentHelp(
            "The port on which it listens, 1 to 65535. Required without --gateway.",
            valueName: "port"
        )
    )
    var port: UInt16?

    @OptionGroup var gateway: GatewayOptions

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "The service type; can be repeated. Subtypes follow it, separated by commas.",
            discussion: "If not given: \(ServiceType.openClaw), with --gateway that of its dialect.",
            valueName: "service-type"
        ),
        completion: .list(ServiceType.gatewayTypes.map(\.description)),
        transform: { try ServiceType($0) }
    )
    var types: [ServiceType] = []

    @Flag(help: "With --gateway: advertise it even if other hosts cannot reach it.")
    var force = false

    @OptionGroup var interface: InterfaceOption
    @OptionGroup var zone: ZoneOptions
    @OptionGroup var common: CommonOptions

    /// The longest time to wait for what a gateway says, where it is only printed.
    private static let lookTimeout = Duration.seconds(6)

    func validate() throws {
        if zone.zone != nil, common.backend != .auto {
            throw ValidationError("--backend is for the LAN, and --zone publishes elsewhere; leave one of them out.")
        }
        guard let address else {
            if port == nil { throw ValidationError("Give --gateway, where the gateway is asked, or --port.") }
            if force { throw ValidationError("--force goes with --gateway; without it nothing is checked.") }
            return
        }
        if port != nil { throw ValidationError("The port is in the address of --gateway; leave --port out.") }
        if let option = gateway.claims.first {
            throw ValidationError("The gateway itself says what \(option) would say; leave it out.")
        }
        guard address.resource == "/" else {
            throw ValidationError("Those who find a gateway ask it at /, so that one at a path cannot be advertised.")
        }
        if let name, name.isEmpty { throw ValidationError("A name has 1 to 63 bytes.") }
    }

    /// Returns the configuration that advertises a gateway at some addresses, which are all of this host.
    func configuration(_ address: ProbeAddress, _ addresses: [IPAddress]) throws -> GatewayAdvertiserConfiguration {
        GatewayAdvertiserConfiguration(
            endpoints: addresses.map { Endpoint(address: $0, port: address.port) },
            expected: address.dialect,
            transports: address.transports,
            types: types,
            name: name,
            defaultName: SystemHostName.current,
            interfaces: Set(interface.interfaces),
            additions: try gateway.additions(),
            isForced: force
        )
    }

    /// Returns the advertisement to publish.
    func advertisement() throws -> Advertisement {
        let name = name ?? SystemHostName.current
        return Advertisement(
            name: name,
            types: types.isEmpty ? [.openClaw] : types,
            // The validation requires a port. If there were none, the advertiser would refuse port 0.
            port: port ?? 0,
            txt: try gateway.record(name: name),
            interfaces: Set(interface.interfaces)
        )
    }

    func run() async throws {
        if let address {
            try await advertise(address)
        } else {
            try await advertise(try advertisement())
        }
    }

    private func advertise(_ address: ProbeAddress) async throws {
        guard let addresses = await HostAddresses.of(address.host, within: .seconds(5)) else {
            throw CommandFailure(.usage, "no answer about the name \(address.host) in 5 s; give an address")
        }
        let own = addresses.filter { LocalAddress.isOfThisHost($0) }
        guard !own.isEmpty else {
            throw CommandFailure(
                .usage,
                addresses.isEmpty
                    ? HostAddresses.absence(of: address.host)
                    : "\(address.host) is another host, and an advertisement names this one; advertise it from there"
            )
        }
        let backend: any ServiceBackend = if zone.isPrinted { UnseenBackend() } else { try self.backend() }
        let advertiser: GatewayAdvertiser
        do {
            advertiser = try GatewayAdvertiser(
                try configuration(address, own),
                backend: backend,
                logger: common.logger
            )
        } catch let error as BackendError {
            throw CommandFailure(error)
        }
        if zone.isPrinted { return try await printOnce(advertiser) }
        try await ReportedPublication(
            advertiser: advertiser,
            text: GatewayPublicationText(zone: zone.zone),
            write: { try StandardOutput().write($0) }
        ).run()
    }

    private func advertise(_ advertisement: Advertisement) async throws {
        if zone.isPrinted { return try StandardOutput().write(try zone.text(advertisement)) }
        if advertisement.name.utf8.contains(UInt8(ascii: "\"")) {
            Notes.warning("the name has a quotation mark, at which some programs that read avahi-browse stumble.")
        }
        try await common.publish(advertisement, by: try backend(), zone: zone.zone)
    }

    /// Returns that which publishes: on the LAN, or in the zone.
    private func backend() throws -> any ServiceBackend {
        do {
            guard let configuration = try zone.configuration() else {
                return try common.makeBackend(logger: common.logger)
            }
            return try ZoneBackend(configuration, logger: common.logger)
        } catch let error as BackendError {
            throw CommandFailure(error)
        }
    }

    /// Prints what a gateway would be published as, once it has said what it is.
    private func printOnce(_ advertiser: GatewayAdvertiser) async throws {
        let found = await withTaskGroup(of: AdvertisingState.self) { group in
            group.addTask {
                try? await advertiser.run()
                return advertiser.detail
            }
            group.addTask {
                try? await Task.sleep(for: Self.lookTimeout)
                return advertiser.detail
            }
            group.addTask {
                for await state in advertiser.details {
                    if case .advertising = state { return state }
                }
                return advertiser.detail
            }
            defer { group.cancelAll() }
            return await group.next() ?? .asking
        }
        switch found {
        case .advertising(_, let advertisement, _): try StandardOutput().write(try zone.text(advertisement))
        case .withheld(let reason): throw CommandFailure(.unavailable, "the gateway would not be published: \(reason)")
        case .failed(let error): throw CommandFailure(error)
        case .asking, .ended:
            throw CommandFailure(.unavailable, "the gateway would not be published: it does not answer")
        }
    }
}

/// A backend that publishes nothing, for whoever wants to know what would be.
private struct UnseenBackend: ServiceBackend {
    var source: SightingSource { SightingSource(rawValue: "none") }
    var capabilities: BackendCapabilities { [] }

    func browse(_ request: BrowseRequest, report: @escaping @Sendable ([BrowseEvent]) -> Void) async {}

    func publish(
        _ advertisement: Advertisement,
        updates: TXTUpdates,
        report: @escaping @Sendable (PublicationState) -> Void
    ) async {
        await Task.untilCancelled()
    }
}
