/// A problem that does not stop a backend but that its user should know about. Each is reported once.
package struct BackendWarning: Hashable, Sendable, CustomStringConvertible {
    /// A kind of warning. More may be added.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Wrapped: String {
            case cacheNearlyFull, objectsExhausted, tooManyInstances, tooManyRecords, invalidRecord, browseFailed,
                notConfirmed, packetsLost, tooManyQuestions
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
        package var description: String { wrapped.rawValue }

        /// The daemon's cache is full or nearly full: the daemon silently drops records that no longer fit.
        package static let cacheNearlyFull = Code(wrapped: .cacheNearlyFull)
        /// The daemon grants no more objects: some instances are listed but cannot be resolved.
        package static let objectsExhausted = Code(wrapped: .objectsExhausted)
        /// There are more service instances than the backend follows; the rest are left out.
        package static let tooManyInstances = Code(wrapped: .tooManyInstances)
        /// There are more records of one name than the backend keeps; the rest are left out.
        package static let tooManyRecords = Code(wrapped: .tooManyRecords)
        /// Malformed records from the network were left out.
        package static let invalidRecord = Code(wrapped: .invalidRecord)
        /// The daemon stopped browsing for a type: its services are no longer seen.
        package static let browseFailed = Code(wrapped: .browseFailed)
        /// Some services answer queries although the backend does not list them.
        package static let notConfirmed = Code(wrapped: .notConfirmed)
        /// Packets arrived faster than they could be read; the system dropped some.
        package static let packetsLost = Code(wrapped: .packetsLost)
        /// A host on the network asks for more records than are answered.
        package static let tooManyQuestions = Code(wrapped: .tooManyQuestions)
    }

    /// The kind of warning.
    package let code: Code

    /// The text of the warning: what was found and what to do.
    package let message: String

    /// Creates a warning of a kind, with a text for people: what was found and what to do.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { message }
}
