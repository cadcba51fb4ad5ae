import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The number of made-up cases that a test goes through.
package enum TestCases {
    /// Indicates whether `CLAWRADAR_ALL_CASES` is set, as scripts/test sets it.
    package static let areAll = getenv("CLAWRADAR_ALL_CASES") != nil

    /// The number that a variable of the environment asks for.
    package static func number(of variable: String) -> Int? {
        getenv(variable).flatMap { Int(String(cString: $0)) }
    }

    /// So many in CI, and a tenth of them in between, so that nobody waits for the tests.
    package static func count(_ all: Int) -> Int { areAll ? all : max(1, all / 10) }

    /// Goes through cases on all processors, each with a seed of its own.
    ///
    /// - Returns: What is wrong with the first of them in which something is.
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
