internal import Synchronization

/// The resources of one kind that are in use, such as engines with their threads and sockets: one for all users with equal
/// settings, made for the first of them and released with the last.
///
/// With it, hundreds of browsers of a program, each with a backend of its own, take no more than one.
package final class SharedResources<Settings: Hashable & Sendable, Resource: Sendable>: Sendable {
    /// The settings by which users are told apart.
    package struct Key: Hashable, Sendable {
        private let settings: Settings
        private let log: String?
        private let namespace: NetworkNamespace

        /// - Parameters:
        ///   - log: The label and level of the user's logger: a resource has one logger, and each user's must get what it
        ///     is for.
        ///   - namespace: The network namespace, to which the threads and sockets of a resource belong.
        package init(_ settings: Settings, log: String?, namespace: NetworkNamespace = .current) {
            self.settings = settings
            self.log = log
            self.namespace = namespace
        }
    }

    private struct Shared {
        let resource: Resource
        var users = 0
    }

    private let shared = Mutex<[Key: Shared]>([:])

    package init() {}

    /// Returns the resource for these settings, which is made now if nobody uses one. A call of ``release(_:)`` must
    /// follow.
    package func acquire(_ key: Key, make: () throws(SystemError) -> Resource) throws(SystemError) -> Resource {
        try shared.withLock { shared throws(SystemError) -> Resource in
            let resource = if let known = shared[key] { known.resource } else { try make() }
            shared[key, default: Shared(resource: resource)].users += 1
            return resource
        }
    }

    /// Ends one use of a resource.
    package func release(_ key: Key) {
        // The resource goes outside the lock: what it holds may need the lock in its `deinit`.
        _ = shared.withLock { shared -> Resource? in
            guard let known = shared[key] else { return nil }
            if known.users == 1 { shared[key] = nil } else { shared[key]?.users -= 1 }
            return known.resource
        }
    }
}
