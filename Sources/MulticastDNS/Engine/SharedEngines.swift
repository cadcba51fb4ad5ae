internal import HostSystem
internal import Logging
internal import Synchronization

/// The engines that are in use: one for all backends with equal settings, so that a program with hundreds of browsers has
/// one thread and one socket for each path, and asks each question once.
final class SharedEngines: Sendable {
    /// The settings that backends must have in common to share an engine.
    struct Settings: Hashable {
        let configuration: MulticastDNSConfiguration

        /// The logger's label and level: an engine has one logger, and each backend's must get what it is for.
        let logLabel: String?
        let logLevel: Logger.Level?

        /// The sockets of an engine are all in the namespace of its thread.
        let namespace: NetworkNamespace

        init(_ configuration: MulticastDNSConfiguration, logger: Logger?, namespace: NetworkNamespace = .current) {
            self.configuration = configuration
            self.logLabel = logger?.label
            self.logLevel = logger?.logLevel
            self.namespace = namespace
        }
    }

    private struct Shared {
        let engine: MulticastDNSEngine
        var users: Int
    }

    /// The engines of this process.
    static let ofProcess = SharedEngines()

    private let engines = Mutex<[Settings: Shared]>([:])

    /// Returns the engine for these settings, made now where there is none yet. Each call must be followed by one of
    /// ``release(_:)``.
    func acquire(
        _ settings: Settings,
        make: () throws(SystemError) -> MulticastDNSEngine
    ) throws(SystemError) -> MulticastDNSEngine {
        try engines.withLock { engines throws(SystemError) -> MulticastDNSEngine in
            let engine = if let shared = engines[settings] { shared.engine } else { try make() }
            engines[settings, default: Shared(engine: engine, users: 0)].users += 1
            return engine
        }
    }

    /// Lets an engine go. It ends with its last user.
    func release(_ settings: Settings) {
        // The engine is released outside the lock: what it holds may need the lock in its `deinit`.
        _ = engines.withLock { engines -> MulticastDNSEngine? in
            guard let shared = engines[settings] else { return nil }
            engines[settings]?.users -= 1
            if shared.users == 1 { engines[settings] = nil }
            return shared.engine
        }
    }
}
