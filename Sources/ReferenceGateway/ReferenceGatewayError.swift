/// The reason why a reference gateway cannot work.
package struct ReferenceGatewayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a reference gateway.
    package enum Code: Hashable, Sendable {
        /// The file of the state cannot be read, or has not what it should have.
        case unreadableState
        /// The file of the state cannot be written.
        case unwritableState
        /// The address or the port cannot be had.
        case cannotListen
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
