/// The reason why a backend cannot do its work.
public struct BackendError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of error. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case noMessageBus, noDaemon, daemonNotAnswering, refused, limitReached, nameConflict, invalid, noBackend,
                noInterface, internalFault
        }

        private let wrapped: Wrapped

        private init(wrapped: Wrapped) {
            self.wrapped = wrapped
        }

        /// Creates the code of a name; `nil` if no code has it.
        package init?(_ name: String) {
            guard let wrapped = Wrapped(rawValue: name) else { return nil }
            self.wrapped = wrapped
        }

        /// The name of the code, for logs. It stays the same from version to version.
        public var description: String { wrapped.rawValue }

        /// The message bus (D-Bus) that leads to the daemon cannot be reached.
        public static let noMessageBus = Code(wrapped: .noMessageBus)
        /// The daemon is not running.
        public static let noDaemon = Code(wrapped: .noDaemon)
        /// The daemon is running but does not answer.
        public static let daemonNotAnswering = Code(wrapped: .daemonNotAnswering)
        /// The daemon refused the request, because of its configuration or a policy.
        public static let refused = Code(wrapped: .refused)
        /// A limit of the daemon is reached.
        public static let limitReached = Code(wrapped: .limitReached)
        /// The name is taken, and so were all the alternatives that were tried.
        public static let nameConflict = Code(wrapped: .nameConflict)
        /// The request is not valid: it cannot be published or browsed for.
        public static let invalid = Code(wrapped: .invalid)
        /// This build has no backend for this machine.
        public static let noBackend = Code(wrapped: .noBackend)
        /// No network interface that the backend could use is up.
        public static let noInterface = Code(wrapped: .noInterface)
        /// A fault in this package itself.
        public static let internalFault = Code(wrapped: .internalFault)
    }

    /// The kind of error.
    public let code: Code

    /// The explanation for people, in one or two sentences: what was expected, what was found and what to do.
    public let message: String

    /// Creates an error of a kind, with an explanation for people: what was expected, what was found and what to do.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
