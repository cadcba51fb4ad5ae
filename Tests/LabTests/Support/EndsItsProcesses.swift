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
            weak var process: LabProcess?
        }

        private let entries = Mutex<[Entry]>([])

        func add(_ process: LabProcess) { entries.withLock { $0.append(Entry(process: process)) } }

        func endAll() async throws {
            // No failure: some processes are meant to run until here. All at first, since one may not end.
            let left = entries.withLock({ $0 }).compactMap(\.process).filter(\.isRunning)
            for process in left { process.signal(SIGKILL) }
            for process in left { _ = try await process.finish(within: .seconds(10)) }
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
    /// A trait that ends the processes that a test leaves running.
    static var endsItsProcesses: Self { Self() }
}
