internal import ArgumentParser
internal import Console
internal import DNSSD
internal import Discovery
internal import GatewayProtocol
internal import Reports

/// `clawradar types`: the service types on the network, and in domains.
struct TypesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Lists the service types that are advertised.",
        usage: "clawradar types [<options>]",
        discussion: """
            Asks the other hosts on the network which types of services they advertise, and with --domain also the DNS \
            servers of these domains. Each can be given to --type of `clawradar scan`; those of gateways are marked.

            EXAMPLES:
              clawradar types
              clawradar types --domain openclaw.internal --server 100.100.100.100

            Exit status: 0 if there is a type, 1 if there is none, 64 if the command line is invalid.
            """
    )

    @Option(
        help: .time("The duration", default: "2"),
        transform: { try TimeLimit($0) }
    )
    var timeout = TimeLimit(seconds: 2)

    @OptionGroup var domain: DomainOptions
    @OptionGroup var format: ReportFormatOption

    func validate() throws {
        guard domain.wideArea else { return }
        throw ValidationError("The types of a domain are listed by its name: give --domain.")
    }

    func run() async throws {
        async let onLink = ServiceType.allOnLink(within: timeout.duration)
        let inDomains = await domain.configuration.serviceTypes(within: timeout.duration)
        let types = Set(await onLink + inDomains.types).sorted()
        let output = StandardOutput()
        switch format.format {
        case .json: try output.write(TypesReport(types: types, warnings: inDomains.troubles).line)
        case .table:
            for type in types {
                try output.write("\(type)\(ServiceType.gatewayTypes.contains(type) ? "  of gateways" : "")\n")
            }
            for trouble in inDomains.troubles { Notes.warning(trouble) }
        }
        if types.isEmpty { throw CommandFailure(.nothingFound, "nobody advertises a service here.") }
    }
}

/// The service types, as outsiders read them.
private struct TypesReport: JSONReport {
    let types: [ServiceType]
    let warnings: [String]

    var fields: [String: JSONValue] {
        ["types": JSONValue(types.map(\.description)), "warnings": JSONValue(warnings)]
    }
}
