internal import ArgumentParser
internal import Console
internal import GatewayProtocol
internal import ReferenceGateway

extension GatewayVerbs {
    /// `reference-gateway readiness`: has a gateway say that it can do its work, or that it cannot.
    struct Readiness: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "readiness",
            abstract: "Has a gateway on this host say whether it can do its work, at /readyz and /startupz (openclaw).",
            usage: "reference-gateway readiness <what> [--state <file>] [--port <port>]",
            discussion: """
                EXAMPLES:
                  reference-gateway readiness failing:discord,telegram --port 18789
                  reference-gateway readiness ready
                """
        )

        @ParentCommand var gateway: GatewayCommand
        @OptionGroup var place: GatewayPlaceOptions

        @Argument(
            help: ArgumentHelp("One of \(ReadinessPages.Play.words)."),
            completion: .list(["ready", "starting", "draining", "failing", "forbidden", "missing", "page"]),
            transform: { try ReadinessPages.Play.read($0) }
        )
        var what: ReadinessPages.Play

        func run() async throws {
            let payload = try await gateway.operation(place).ask("readiness", id: "\(what)")
            try StandardOutput().write("\(payload?["readiness"]?.string ?? "")\n")
        }
    }
}

extension ReadinessPages.Play {
    static func read(_ text: String) throws(ArgumentProblem) -> ReadinessPages.Play {
        guard let play = ReadinessPages.Play(text) else { throw ArgumentProblem("Readiness is one of \(words).") }
        return play
    }
}
