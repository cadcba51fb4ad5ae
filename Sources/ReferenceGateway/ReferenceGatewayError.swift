/// The reason why a reference gateway cannot work.
package struct ReferenceGatewayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a reference gateway. More may be added.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, which stays the same from version to version: for logs.
        package var description: String { rawValue }

        /// The state file cannot be read, or its content is not valid.
        case unreadableState
        /// The state file cannot be written.
        case unwritableState
        /// The state file has the new content, which may not outlive a power failure.
        case notDurable
        /// The gateway cannot listen on its address and port.
        case cannotListen
        /// The certificate cannot be made or used.
        case noCertificate
        /// The control socket cannot be opened, or no gateway answers there.
        case noControl
    }

    /// The kind of trouble.
    package let code: Code

    /// A description of what was expected, what was found and what to do. Holds no secret.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
