/// A problem that does not stop a backend but that its user should know about. Each is reported once.
package struct BackendWarning: Hashable, Sendable, CustomStringConvertible {
    /// A kind of warning. More may be added.
    package enum Code: String, Hashable, Sendable, CustomStringConvertible {
        /// The name of the code, for logs. It stays the same from version to version.
        package var description: String { rawValue }

        /// The daemon's cache is full or nearly full: the daemon silently drops records that no longer fit.
        case cacheNearlyFull
        /// The daemon grants no more objects: some instances are listed but cannot be resolved.
        case objectsExhausted
        /// There are more service instances than the backend follows; the rest are left out.
        case tooManyInstances
        /// There are more records of one name than the backend keeps; the rest are left out.
        case tooManyRecords
        /// Malformed records from the network were left out.
        case invalidRecord
        /// The daemon stopped browsing for a type: its services are no longer seen.
        case browseFailed
        /// Some services answer queries although the backend does not list them.
        case notConfirmed
        /// Packets arrived faster than they could be read; the system dropped some.
        case packetsLost
        /// The zones that are browsed have more records than can be asked for again in time.
        case zonesTooLarge
        /// Other domains lead to more of them than are browsed; the rest are left out.
        case tooManyDomains
        /// A host on the network asks for more records than are answered.
        case tooManyQuestions
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
