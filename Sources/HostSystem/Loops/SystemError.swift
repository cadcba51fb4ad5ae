package import SystemPackage

/// A system call that failed, with the system's error number.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call, such as `socketpair`.
    package let call: String

    /// The error number.
    package let code: Errno

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - call: The call, such as `socketpair`.
    ///   - code: The value of `errno` after the call.
    package init(call: String, code: Int32) {
        self.call = call
        self.code = Errno(rawValue: code)
    }

    package var description: String { "\(call): \(code)" }
}
