/// The reason why a reference gateway cannot work.
package struct ReferenceGatewayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a reference gateway. More may be added.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case unreadableState, unwritableState, notDurable, cannotListen, noCertificate, noControl
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        package var description: String { wrapped.rawValue }

        /// The state file cannot be read, or its content is not valid.
        package static let unreadableState = Code(wrapped: .unreadableState)
        /// The state file cannot be written.
        package static let unwritableState = Code(wrapped: .unwritableState)
        /// The state file has the new content, which may not outlive a power failure.
        package static let notDurable = Code(wrapped: .notDurable)
        /// The gateway cannot listen on its address and port.
        package static let cannotListen = Code(wrapped: .cannotListen)
        /// The certificate cannot be made or used.
        package static let noCertificate = Code(wrapped: .noCertificate)
        /// The control socket cannot be opened, or no gateway answers there.
        package static let noControl = Code(wrapped: .noControl)
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
