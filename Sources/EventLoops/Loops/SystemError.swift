#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A system call that failed, with its `errno`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call, such as `socketpair`.
    package let call: String

    /// The `errno`.
    package let code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
