/// The reason why a reference gateway cannot work.
package struct ReferenceGatewayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble with a reference gateway. More may be added.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case unreadableState, unwritableState, cannotListen, noCertificate, noControl
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        package var description: String { wrapped.rawValue }

        /// The file of the state cannot be read, or has not what it should have.
        package static let unreadableState = Code(wrapped: .unreadableState)
        /// The file of the state cannot be written.
        package static let unwritableState = Code(wrapped: .unwritableState)
        /// The address or the port cannot be had.
        package static let cannotListen = Code(wrapped: .cannotListen)
        /// The certificate cannot be made or used.
        package static let noCertificate = Code(wrapped: .noCertificate)
        /// The socket by which it is operated cannot be had, or nobody answers there.
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
