internal import ArgumentParser
internal import Discovery
internal import Scanning

/// The option for the maximum number of services that are followed.
struct ServiceLimitOption: ParsableArguments {
    @Option(
        name: .customLong("max-services"),
        help: ArgumentHelp(
            "The maximum number of services. Above it, services of the host that has the most are left out.",
            valueName: "number"
        )
    )
    var maximum = BrowserConfiguration.mostServices

    /// Returns the limits of a map that has room for all services and for these gateways.
    func ofMap(besides manual: [ManualGateway]) -> BotMapLimits {
        var limits = BotMapLimits()
        limits.candidates = max(limits.candidates, maximum + manual.reduce(0) { $0 + $1.endpoints.count })
        return limits
    }

    func validate() throws {
        guard (1...1_000_000).contains(maximum) else {
            throw ValidationError("--max-services must be from 1 to 1000000, not \(maximum).")
        }
    }
}
