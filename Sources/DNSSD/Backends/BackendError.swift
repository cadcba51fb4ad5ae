/// The reason why a backend cannot do its work.
public struct BackendError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of trouble. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case noMessageBus, noDaemon, daemonNotAnswering, refused, limitReached, nameConflict, invalid, noBackend,
                noInterface, internalFault
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        public var description: String { wrapped.rawValue }

        /// The message bus (D-Bus) through which the daemon is spoken to cannot be reached.
        public static let noMessageBus = Code(wrapped: .noMessageBus)
        /// The daemon is not running.
        public static let noDaemon = Code(wrapped: .noDaemon)
        /// The daemon is there and does not answer.
        public static let daemonNotAnswering = Code(wrapped: .daemonNotAnswering)
        /// The daemon refused what was asked, by its configuration or by policy.
        public static let refused = Code(wrapped: .refused)
        /// A limit of the daemon is reached.
        public static let limitReached = Code(wrapped: .limitReached)
        /// The name is taken, and so were all alternatives that were tried.
        public static let nameConflict = Code(wrapped: .nameConflict)
        /// The request is not valid: it cannot be published or browsed for.
        public static let invalid = Code(wrapped: .invalid)
        /// This build has no backend for this machine.
        public static let noBackend = Code(wrapped: .noBackend)
        /// No network interface is up on which it could work.
        public static let noInterface = Code(wrapped: .noInterface)
        /// Our own fault.
        public static let internalFault = Code(wrapped: .internalFault)
    }

    /// The kind of trouble.
    public let code: Code

    /// The explanation for people, in one or two sentences: what was expected, what was found and what to do.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
