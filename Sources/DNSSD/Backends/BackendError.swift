/// The reason why a backend cannot do its work.
public struct BackendError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public let code: ErrorCode<BackendError>

    /// The explanation for people, in one or two sentences: what was expected, what was found and what to do.
    public let message: String

    /// Creates an error of a kind, with an explanation for people: what was expected, what was found and what to do.
    public init(_ code: ErrorCode<BackendError>, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}

/// The codes of the errors.
extension ErrorCode<BackendError> {
    /// The message bus (D-Bus) that leads to the daemon cannot be reached.
    public static var noMessageBus: Self { Self() }

    /// The daemon is not running, or the library that leads to it is not installed.
    public static var noDaemon: Self { Self() }

    /// The daemon is running but does not answer.
    public static var daemonNotAnswering: Self { Self() }

    /// The daemon refused the request, because of its configuration or a policy.
    public static var refused: Self { Self() }

    /// A limit of the daemon is reached.
    public static var limitReached: Self { Self() }

    /// The name is taken, and so were all the alternatives that were tried.
    public static var nameConflict: Self { Self() }

    /// The request is not valid: it cannot be published or browsed for.
    public static var invalid: Self { Self() }

    /// This build has no backend for this machine.
    public static var noBackend: Self { Self() }

    /// No network interface that the backend could use is up.
    public static var noInterface: Self { Self() }

    /// A fault in this package itself.
    public static var internalFault: Self { Self() }

    /// All codes.
    package static var all: [Self] {
        [
            .noMessageBus, .noDaemon, .daemonNotAnswering, .refused, .limitReached, .nameConflict, .invalid,
            .noBackend, .noInterface, .internalFault,
        ]
    }
}
