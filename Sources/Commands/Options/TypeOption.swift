internal import ArgumentParser
internal import DNSSD

/// Which service types a verb is about.
struct TypeOption: ParsableArguments {
    /// What gateways of every era are found under; see the README.
    static let gatewayTypes = [
        "_openclaw._tcp", "_openclaw-gw._tcp", "_clawdbot-bridge._tcp", "_clawdbot-gw._tcp", "_moltbot-gw._tcp",
        "_openagents._tcp",
    ]

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp(
            "Look for this service type only, such as _openclaw._tcp; can be repeated.",
            discussion: "If not given: \(gatewayTypes.joined(separator: ", ")).",
            valueName: "service-type"
        ),
        transform: { try ServiceType($0) }
    )
    var given: [ServiceType] = []

    /// The types to look for.
    var types: [ServiceType] {
        guard given.isEmpty else { return given }
        return Self.gatewayTypes.compactMap { try? ServiceType($0) }
    }
}
