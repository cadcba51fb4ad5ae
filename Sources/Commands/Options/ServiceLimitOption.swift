internal import ArgumentParser
internal import Discovery

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

    func validate() throws {
        guard (1...1_000_000).contains(maximum) else {
            throw ValidationError("--max-services must be from 1 to 1000000, not \(maximum).")
        }
    }
}
