internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Discovery

/// The options for the domains that are browsed by unicast DNS, beside the network.
struct DomainOptions: ParsableArguments {
    @Option(
        name: .customLong("domain"),
        help: ArgumentHelp(
            "Look in this DNS domain too, such as openclaw.internal; can be repeated.",
            valueName: "name"
        ),
        transform: { try Self.domain($0) }
    )
    var domains: [DomainName] = []

    @Option(
        help: ArgumentHelp(
            "Ask this DNS server for the domains; can be repeated. Default: those of the system.",
            valueName: "address"
        ),
        transform: { text in
            guard let server = DNSServerAddress(text) else {
                throw ArgumentProblem("A DNS server is given by its address, such as 10.0.0.1 or [fd00::53]:5300.")
            }
            return server
        }
    )
    var server: [DNSServerAddress] = []

    @Flag(help: "Look in the domains that the network names.")
    var wideArea = false

    func validate() throws {
        guard !server.isEmpty, domains.isEmpty, !wideArea else { return }
        throw ValidationError("--server is asked for domains: name one with --domain.")
    }

    /// The zones to browse.
    var configuration: WideAreaConfiguration {
        WideAreaConfiguration(domains: domains, servers: server.map(\.endpoint), usesNetworkDomains: wideArea)
    }

    private static func domain(_ text: String) throws -> DomainName {
        let domain = try DomainName(typed: text)
        guard domain.isZone else {
            throw ArgumentProblem("A domain of DNS looks like openclaw.internal; local is always looked in.")
        }
        return domain
    }
}
