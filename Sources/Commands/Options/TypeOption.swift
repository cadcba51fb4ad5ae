internal import ArgumentParser
internal import DNSSD
internal import GatewayProtocol

/// The option for the service types to look for.
struct TypeOption: ParsableArguments {
    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "Look only for this service type, such as _openclaw._tcp; can be repeated.",
            discussion: "If not given: \(ServiceType.gatewayTypes.map(\.description).joined(separator: ", ")).",
            valueName: "service-type"
        ),
        completion: .list(ServiceType.gatewayTypes.map(\.description)),
        transform: { try ServiceType($0) }
    )
    var given: [ServiceType] = []

    /// The types to look for.
    var types: [ServiceType] {
        given.isEmpty ? ServiceType.gatewayTypes : given
    }
}
