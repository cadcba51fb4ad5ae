import Foundation
import Synchronization
import Testing

/// A trait that kills the processes that a test has left running, also if the test failed.
///
/// Otherwise the services of a publisher that outlives a failed test would be found by the following tests, which would
/// fail as well and hide the first failure.
struct EndsItsProcesses: SuiteTrait, TestTrait, TestScoping {
    /// The processes that the running test has started.
    final class Started: Sendable {
        /// A weak reference: only the threads that read its output keep a process alive. Otherwise the descriptors of
        /// ended processes would stay open, and tests that count descriptors would count them.
        private struct Entry: Sendable {
            weak var process: LabProcess?
        }

        private let entries = Mutex<[Entry]>([])

        func add(_ process: LabProcess) { entries.withLock { $0.append(Entry(process: process)) } }

        func endAll() async throws {
            // A process that still runs is no failure: some tests rely on this. All processes are signalled before the
            // first wait, since waiting throws if a process does not end.
            let left = entries.withLock({ $0 }).compactMap(\.process).filter(\.isRunning)
            for process in left { process.signal(SIGKILL) }
            for process in left { _ = try await process.finish(within: .seconds(10)) }
        }
    }

    @TaskLocal static var started: Started?

    /// Applies the trait to each test, not only to the suites around them.
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
