import GatewayProtocol
import Testing

/// A verb as the tool itself describes it to other programs.
struct DumpedCommand {
    /// The words that call it, without the name of the program.
    let words: [String]

    /// Indicates whether help texts list it.
    let isShown: Bool

    /// The names of its arguments that stand by their place, and whether one can be given several times.
    let arguments: [(name: String?, isRepeating: Bool)]

    /// Returns all verbs, each before those within it.
    static func all() async throws -> [DumpedCommand] {
        let dump = try await Tool.run(["--experimental-dump-help"]).output
        let root = try JSONValue(parsing: Array(dump.utf8), limits: JSONLimits(maximumBytes: 4 << 20))
        return try within(#require(root["command"]), [])
    }

    private static func within(_ command: JSONValue, _ words: [String]) throws -> [DumpedCommand] {
        try (command["subcommands"]?.array ?? []).flatMap { verb in
            let own = words + [try #require(verb["commandName"]?.string)]
            let arguments = (verb["arguments"]?.array ?? []).filter { $0["kind"] == "positional" }
            let described = DumpedCommand(
                words: own,
                isShown: verb["shouldDisplay"] == true,
                arguments: arguments.map { ($0["valueName"]?.string, $0["isRepeating"] == true) }
            )
            return try [described] + within(verb, own)
        }
    }
}
