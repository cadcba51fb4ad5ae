import Clawradar
import Foundation
import ServiceLifecycle
import TestSupport
import Testing

/// The programs in `examples/` that have a single import, and what they run in. `ProgramsLabTests` runs them.
@Suite(.timeLimit(.minutes(1))) struct ProgramsTests {
    private static let programs = [
        "advertise-gateway/AdvertiseGateway", "browse-services/BrowseServices", "list-gateways/ListGateways",
        "pair-gateway/PairGateway", "stay-connected/StayConnected",
    ]

    @Test(arguments: programs) func oneImportAndFewLinesAreEnough(program: String) throws {
        let text = try DocumentedCommand.text("examples/\(program).swift")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.filter { $0.hasPrefix("import ") } == ["import Clawradar"])
        #expect(text.hasSuffix("\n") && lines.count <= 25, "\(lines.count) lines")
        #expect(try DocumentedCommand.text("README.md").contains("](examples/\(program).swift)"))
    }

    /// A service of a test, which runs until it is cancelled or has to fail.
    private struct Worker: Service {
        struct Failure: Error {}

        var fails = false
        let ended: @Sendable () -> Void

        func run() async throws {
            defer { ended() }
            if fails { throw Failure() }
            while !Task.isCancelled { await Task.yield() }
        }
    }

    /// The end of the closure ends the services, which are awaited.
    @Test func servicesEndWithTheClosure() async throws {
        try await confirmation(expectedCount: 2) { ended in
            try await runUntilSignal(Worker { ended() }, Worker { ended() }) {}
        }
    }

    /// A service that fails ends everything, with its error.
    @Test func aServiceThatFailsEndsTheRest() async {
        await confirmation(expectedCount: 2) { ended in
            _ = await #expect(throws: Worker.Failure.self) {
                try await runUntilSignal(Worker(fails: true) { ended() }, Worker { ended() }) {
                    while !Task.isCancelled { await Task.yield() }
                }
            }
        }
    }
}
