/// Something that does not stop a backend and that its user should know. Each is told once.
public struct BackendWarning: Hashable, Sendable, CustomStringConvertible {
    /// A kind of warning. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case cacheNearlyFull, objectsExhausted, tooManyInstances, tooManyRecords, invalidRecord, browseFailed,
                notConfirmed, packetsLost, tooManyQuestions
        }

        private let wrapped: Wrapped

        /// The name of the code, which stays the same from version to version: for logs.
        public var description: String { wrapped.rawValue }

        /// The daemon's cache is about to be full or is full: what comes on top is dropped by the daemon, silently.
        public static let cacheNearlyFull = Code(wrapped: .cacheNearlyFull)
        /// The daemon gives no more objects: some instances are listed and cannot be resolved.
        public static let objectsExhausted = Code(wrapped: .objectsExhausted)
        /// There are more service instances than are followed; the others are left out.
        public static let tooManyInstances = Code(wrapped: .tooManyInstances)
        /// There are more records of one name than are kept; the others are left out.
        public static let tooManyRecords = Code(wrapped: .tooManyRecords)
        /// Records from the network were malformed and were left out.
        public static let invalidRecord = Code(wrapped: .invalidRecord)
        /// The daemon gave up on browsing for a type: what comes of it is not seen.
        public static let browseFailed = Code(wrapped: .browseFailed)
        /// Services answer when they are asked, and the backend does not list them.
        public static let notConfirmed = Code(wrapped: .notConfirmed)
        /// Packets came faster than they could be taken in; some were lost by the system.
        public static let packetsLost = Code(wrapped: .packetsLost)
        /// Somebody on the network asks for more than is answered.
        public static let tooManyQuestions = Code(wrapped: .tooManyQuestions)
    }

    /// The kind of warning.
    public let code: Code

    /// The text of the warning: what was found and what to do.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
