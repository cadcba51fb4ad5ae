internal import Agent
internal import Console

extension CommandFailure {
    /// Returns the failure that the configuration is wrong. It has one sentence, so that all mistakes but the last are
    /// printed here.
    static func misconfigured(_ error: ConfigurationError) -> CommandFailure {
        for problem in error.problems.dropLast() { Notes.error(problem.description) }
        return CommandFailure(.usage, error.problems.last?.description ?? "")
    }
}
