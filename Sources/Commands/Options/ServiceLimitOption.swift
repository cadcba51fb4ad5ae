internal import ArgumentParser
internal import Discovery

/// The option for the maximum number of services that are followed.
struct ServiceLimitOption: ParsableArguments {
    @Option(
        name: .customLong("max-services"),
        help: ArgumentHelp(
            "Follow this many services at most. What comes on top is left out, from the host that has most.",
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
