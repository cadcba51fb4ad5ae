public import DNSSD
internal import Synchronization

/// Publishes a service for as long as it runs, and tells how that goes.
///
/// It is safe inside any program: it catches no signal, prints nothing, and withdraws what it published when ``run()``
/// is cancelled. If the program is killed, avahi-daemon withdraws it.
///
/// ## Usage
///
/// ```swift
/// let advertiser = Advertiser(
///     Advertisement(name: "Home Gateway", types: [try ServiceType("_openclaw._tcp")], port: 3000),
///     backend: try Backends.system()
/// )
/// await withTaskGroup(of: Void.self) { group in
///     group.addTask { await advertiser.run() }
///     for await state in advertiser.states {
///         print(state)
///     }
/// }
/// ```
///
/// All members may be used from anywhere, at any time.
public final class Advertiser: Sendable {
    private struct State {
        var latest = PublicationState.publishing(waitingFor: nil)
        var readers: [Int: AsyncStream<PublicationState>.Continuation] = [:]
        var lastReader = 0
        var isRunning = false
        var hasEnded = false
    }

    private let backend: any ServiceBackend
    private let advertisement: Mutex<Advertisement>
    private let state = Mutex(State())

    /// Where new TXT records go while it runs.
    private let source = Mutex<TXTUpdates.Source?>(nil)

    /// Makes an advertiser. Nothing is published before ``run()``.
    ///
    /// - Throws: ``BackendError`` with the code `invalid` when this cannot be published: a name that is empty, too long
    ///   or has control characters (RFC 6763 §4.1.1), no type, port 0, or a TXT record that is too long.
    public init(_ advertisement: Advertisement, backend: any ServiceBackend) throws(BackendError) {
        try advertisement.validate()
        self.advertisement = Mutex(advertisement)
        self.backend = backend
    }

    /// Publishes until the task is cancelled, then withdraws. Returns early when the publication failed for good; then
    /// ``state`` tells why.
    ///
    /// One call at a time: a second one while the first runs returns at once.
    public func run() async {
        let isFirst = state.withLock { state in
            guard !state.isRunning else { return false }
            state.isRunning = true
            state.hasEnded = false
            state.latest = .publishing(waitingFor: nil)
            return true
        }
        guard isFirst else { return }
        let (updates, source) = TXTUpdates.makeSequence()
        self.source.withLock { $0 = source }
        await backend.publish(advertisement.withLock { $0 }, updates: updates) { self.report($0) }
        self.source.withLock { $0 = nil }
        source.finish()
        let readers = state.withLock { state in
            state.isRunning = false
            state.hasEnded = true
            switch state.latest {
            case .failed: break
            case .publishing, .published, .renamed, .withdrawn:
                state.latest = .withdrawn
                for reader in state.readers.values { reader.yield(.withdrawn) }
            }
            defer { state.readers = [:] }
            return state.readers
        }
        // Without the lock: the end of a stream calls back into `onTermination`, which takes it.
        for reader in readers.values { reader.finish() }
    }

    /// Replaces the TXT record. What is published changes within a fraction of a second, without a new probe.
    ///
    /// - Throws: ``BackendError`` with the code `invalid` when the record is too long.
    public func update(txt: TXTRecord) throws(BackendError) {
        var changed = advertisement.withLock { $0 }
        changed.txt = txt
        try changed.validate()
        // Sent under the lock, so that of two updates at a time the one that is kept is also the one that comes last.
        advertisement.withLock { advertisement in
            advertisement.txt = txt
            source.withLock { $0 }?.send(txt)
        }
    }

    /// Where the publication stands now.
    public var currentState: PublicationState { state.withLock { $0.latest } }

    /// Every change of state from now on, after the state as it is now. Ends when ``run()`` has ended.
    public var states: PublicationStates {
        PublicationStates { continuation in
            let (id, hasEnded) = self.state.withLock { state in
                state.lastReader += 1
                continuation.yield(state.latest)
                if !state.hasEnded { state.readers[state.lastReader] = continuation }
                return (state.lastReader, state.hasEnded)
            }
            if hasEnded { continuation.finish() }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
            }
        }
    }

    private func report(_ new: PublicationState) {
        state.withLock { state in
            state.latest = new
            for reader in state.readers.values { reader.yield(new) }
        }
    }
}
