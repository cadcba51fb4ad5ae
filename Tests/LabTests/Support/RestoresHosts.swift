import Testing

/// A trait that leaves the shared hosts to the next test as they were: which test comes next is chance.
///
/// A test that ends early has not undone what it did: the hosts are restored, and their daemons forget its services.
/// One that passes must have undone it itself.
struct RestoresHosts: SuiteTrait, TestTrait, TestScoping {
    /// Applies the trait to each test, not only to the suites around them.
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // Before the first test.
        _ = SharedHosts.initial
        do {
            try await function()
        } catch {
            await Self.restore()
            throw error
        }
        let differences = SharedHosts.differences
        guard !differences.isEmpty else { return }
        Issue.record("it leaves hosts that other tests use: \(differences.joined(separator: "; "))")
        await Self.restore()
    }

    /// Restores the hosts also for a test that is over its time limit, whose task is cancelled.
    private static func restore() async {
        await Task {
            do { try await SharedHosts.restore() } catch { Issue.record("the hosts were not restored: \(error)") }
        }.value
    }
}

extension Trait where Self == RestoresHosts {
    /// A trait that leaves the shared hosts as they were.
    static var restoresHosts: Self { Self() }
}
