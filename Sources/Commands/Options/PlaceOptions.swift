internal import ArgumentParser
internal import Console
internal import Scanning

/// The options for places that nobody advertises, and that are looked for on request alone.
struct PlaceOptions: ParsableArguments, ScopeOption {
    @Flag(
        help: ArgumentHelp(
            "Also ask the ports of this host at which gateways may listen.",
            discussion: """
                The usual ports of gateways, and those of programs with the name of a gateway's, on loopback, too, and in the \
                network namespaces of containers. The agent does so with “this-host: true” in its configuration.
                """
        )
    )
    var thisHost = false

    @Flag(
        help: ArgumentHelp(
            "Also ask the machines of the tailnet of this host.",
            discussion: """
                At most 32 that tailscaled says are connected, by their names with TLS, and at the usual ports of gateways. The \
                agent does so with “tailnet: true” in its configuration, or with a list of names and tags.
                """
        )
    )
    var tailnet = false

    /// The word for this host's own networks.
    private static let own = "own"

    // The parser takes a value that a transform refuses for none, and would have another network asked.
    @Option(
        name: .customLong("sweep"),
        defaultAsFlag: PlaceOptions.own,
        parsing: .next,
        help: ArgumentHelp(
            "Also ask all hosts of this host's own networks, or of a part of them, at the usual ports of gateways.",
            discussion: """
                IPv4 networks with a prefix of \(SweptNetworks.shortestPrefix) bits or more, at most \(SweptNetworks.mostHosts) \
                hosts, 50 at once, in 8 seconds. Only ask hosts that you may ask.
                """,
            valueName: "network"
        )
    )
    private var typedNetwork: String?

    /// The networks of which all hosts are asked; `nil` for none.
    var sweep: SweptNetworks? { typedNetwork.flatMap { $0 == Self.own ? .own : SweptNetworks($0) } }

    func validate() throws {
        guard typedNetwork != nil, sweep == nil else { return }
        throw ValidationError(
            "--sweep: a network is an IPv4 address with a prefix of \(SweptNetworks.shortestPrefix) to 32 bits, such as "
                + "192.168.1.0/24."
        )
    }

    var isUsual: Bool { given == nil }

    /// The options that were given, for messages.
    var given: String? { thisHost ? "--this-host" : tailnet ? "--tailnet" : sweep.map { _ in "--sweep" } }

    /// Returns the places, with the reasons why some cannot be asked; those found so far once the user ends the command.
    ///
    /// - Parameter interfaces: The names of the interfaces whose networks are looked at; none stands for all.
    func find(on interfaces: [String], _ progress: ProgressLine?) async -> PlaceList {
        guard given != nil else { return PlaceList() }
        let search = Task {
            async let ofThisHost = thisHost ? PlaceList.ofThisHost : PlaceList()
            async let ofTailnet = tailnet ? PlaceList.ofTailnet() : PlaceList()
            var ofSweep = PlaceList()
            if let sweep {
                ofSweep = await PlaceList.ofSweep(sweep, on: interfaces) { progress?.show("\($0) of \($1) hosts …") }
            }
            return await ofThisHost + ofTailnet + ofSweep
        }
        let end = Task {
            await Signals.waitForEnd()
            search.cancel()
        }
        defer { end.cancel() }
        return await search.value
    }
}
