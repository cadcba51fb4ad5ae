import Foundation
import Glibc
import Testing

/// A trait by which several labs divide the tests among themselves: the first one that comes to a test runs it.
///
/// Each lab has a process of its own, in which the tests run one at a time. Tests of one process could not run side by
/// side: they stop the daemons of the same hosts, and count the descriptors and threads of their process.
struct DividedAmongLabs: SuiteTrait, TestTrait, TestScoping {
    /// Applies the trait to each test, not only to the suites around them.
    var isRecursive: Bool { true }

    /// Decides once for a test with all its arguments, and before its time limit begins.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase != nil ? nil : self
    }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        if let folder = Lab.sharedFolder, try !Self.take(test, in: folder) { try Test.cancel("another lab runs it") }
        try await function()
    }

    /// Takes a test for this process; returns `false` if another one has taken it.
    private static func take(_ test: Test, in folder: String) throws -> Bool {
        let place = "\(test.sourceLocation.fileID):\(test.sourceLocation.line)".replacing("/", with: "-")
        if mkdir("\(folder)/\(place)", 0o700) == 0 { return true }
        // A test that cannot be taken fails: otherwise no lab would run it, and nobody would notice.
        let reason = errno
        guard reason == EEXIST else {
            throw NotTaken(description: "\(folder)/\(place): \(String(cString: strerror(reason)))")
        }
        return false
    }

    private struct NotTaken: Error, CustomStringConvertible {
        let description: String
    }
}

extension Trait where Self == DividedAmongLabs {
    /// A trait by which several labs divide the tests among themselves.
    static var dividedAmongLabs: Self { Self() }
}

extension Trait where Self == ConditionTrait {
    /// A trait of tests that need both cores: they run after the others, while there is only one lab.
    static var needsTheMachine: Self {
        .disabled(if: Lab.hasOthersBeside, "it needs the machine to itself, and other labs run beside this one")
    }
}
