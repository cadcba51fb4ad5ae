package import Agent
internal import ArgumentParser
package import Console

extension RadarError: CommandFailing {
    package var commandFailure: CommandFailure {
        let status: ExitCode =
            switch code {
            case .notFound, .conflict, .notReached, .unknown: .nothingFound
            case .inapplicable, .invalid: .usage
            case .contested, .unavailable: .unavailable
            }
        return CommandFailure(status, description)
    }
}
