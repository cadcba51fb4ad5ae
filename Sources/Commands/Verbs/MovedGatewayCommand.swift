internal import ArgumentParser
internal import Console

/// `clawradar gateway`, which is a program of its own now: says so, because people and scripts remember it.
struct MovedGatewayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Is the program reference-gateway now.",
        shouldDisplay: false
    )

    @Argument(parsing: .captureForPassthrough)
    var arguments: [String] = []

    func run() throws {
        throw CommandFailure(
            .usage,
            """
            the gateway for trying things out is now the program reference-gateway, with the same options and verbs: \
            `swift run reference-gateway` in a checkout of clawradar.
            """
        )
    }
}
