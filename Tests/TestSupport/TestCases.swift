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
}
