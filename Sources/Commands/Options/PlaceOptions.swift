internal import ArgumentParser
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

    var isUsual: Bool { !thisHost }

    /// The options that were given, for messages.
    var given: String? { thisHost ? "--this-host" : nil }

    /// Returns the places, with the reasons why some cannot be asked.
    func find() async -> HostPlaces {
        thisHost ? await HostPlaces.current : HostPlaces()
    }
}
