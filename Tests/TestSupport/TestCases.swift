import Dispatch
import Glibc
import Synchronization

/// The number of generated cases in a test.
package enum TestCases {
    /// Indicates whether all cases are to run: `CLAWRADAR_ALL_CASES` is set, as it is by scripts/test.
    package static let areAll = getenv("CLAWRADAR_ALL_CASES") != nil

    /// Returns the number in an environment variable.
    package static func number(of variable: String) -> Int? {
        getenv(variable).flatMap { Int(String(cString: $0)) }
    }

    /// Returns the number of cases to run: all of them if ``areAll``, otherwise a tenth, so that nobody has to wait for
    /// the tests.
    package static func count(_ all: Int) -> Int { areAll ? all : max(1, all / 10) }

    /// Runs cases on all processors, each with its own seed.
    ///
    /// - Returns: The problem with the first case that has one.
    package static func firstProblem(
        of count: Int,
        _ generator: inout SeededGenerator,
        _ problem: @Sendable (_ seed: UInt64) -> String?
    ) -> String? {
        let seeds = (0..<count).map { _ in generator.next() }
        let workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let found = Mutex<(number: Int, text: String)?>(nil)
        DispatchQueue.concurrentPerform(iterations: workers) { worker in
            for number in stride(from: worker, to: count, by: workers) {
                guard found.withLock({ number < $0?.number ?? count }) else { return }
                guard let text = problem(seeds[number]) else { continue }
                found.withLock { if number < $0?.number ?? count { $0 = (number, text) } }
            }
        }
        return found.withLock { $0?.text }
    }
}
