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

    var isUsual: Bool { given == nil }

    /// The options that were given, for messages.
    var given: String? { thisHost ? "--this-host" : tailnet ? "--tailnet" : nil }

    /// Returns the places, with the reasons why some cannot be asked.
    func find() async -> PlaceList {
        async let ofThisHost = thisHost ? PlaceList.ofThisHost : PlaceList()
        async let ofTailnet = tailnet ? PlaceList.ofTailnet() : PlaceList()
        return await ofThisHost + ofTailnet
    }
}
