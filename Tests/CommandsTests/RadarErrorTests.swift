import Agent
import ArgumentParser
import Console
import Testing

@testable import Commands

/// The exit statuses of operations that were not carried out.
@Suite struct RadarErrorTests {
    private static let statuses: [(RadarError.Code, Int32)] = [
        (.notFound, 1), (.conflict, 1), (.notReached, 1), (.unknown, 1), (.inapplicable, 64), (.invalid, 64),
        (.contested, 69), (.unavailable, 69),
    ]

    /// Scripts tell by the status whether there was nothing, the command line was wrong, or the store was not there.
    @Test(arguments: statuses) func theStatusSaysWhoseFaultItIs(code: RadarError.Code, status: Int32) {
        let failure = RadarError(code, "it is away").commandFailure
        #expect(failure == CommandFailure(ExitCode(status), "it is away"))
    }
}
