import Foundation
import Synchronization
import Testing

/// Ends what a test of the lab left running, however it ended: a publisher that outlives a failed test is found by those
/// that follow, which then fail too and hide the one that matters.
struct EndsItsProcesses: SuiteTrait, TestTrait, TestScoping {
    /// The processes that the running test has started.
    final class Started: Sendable {
        /// Held only while it runs, by what reads its output: who counts descriptors shall not count those of the dead.
        private struct Entry: Sendable {
            weak let process: LabProcess?
        }

        private let entries = Mutex<[Entry]>([])

        func add(_ process: LabProcess) { entries.withLock { $0.append(Entry(process: process)) } }

        func endAll() async throws {
            for process in entries.withLock({ $0 }).compactMap(\.process) where process.isRunning {
                // Not a passing test's business: some processes are meant to run until here.
                try await process.stop(SIGKILL)
            }
        }
    }

    @TaskLocal static var started: Started?

    /// Each test, not the suites around them.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let started = Started()
        do {
            try await Self.$started.withValue(started, operation: function)
        } catch {
            try? await started.endAll()
            throw error
        }
        try await started.endAll()
    }
}

extension Trait where Self == EndsItsProcesses {
    /// What a test leaves running ends with it.
    static var endsItsProcesses: Self { Self() }
}
