package import Console

extension CommandLineTool {
    /// Runs `clawradar`: parses the arguments, runs the verb, and ends the process. ``prepare()`` comes before.
    package static func run() async -> Never {
        await run(RootCommand.self, verbs: VerbsCommand.self, adviceOnWords: UnquotedName.advice)
    }
}
