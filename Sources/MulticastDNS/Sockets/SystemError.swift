internal import Glibc

/// A system call that failed, with its `errno`.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call, such as `eventfd`.
    let call: String

    /// The `errno`.
    let code: Int32

    var description: String { "\(call): \(String(cString: strerror(code)))" }
}
