public import DNSSD
public import ServiceLifecycle
internal import Synchronization

/// An advertiser that publishes a service for as long as it runs, and reports how that goes.
///
/// It is safe inside any program: it catches no signal, prints nothing, and withdraws the service when ``run()`` is
/// cancelled. If the program is killed, avahi-daemon withdraws it.
///
/// ## Usage
///
/// ```swift
/// let advertiser = try Advertiser(name: "Home Gateway", type: "_openclaw._tcp", port: 3000)
/// await withThrowingTaskGroup(of: Void.self) { group in
///     group.addTask { try await advertiser.run() }
///     for await state in advertiser.states {
///         print(state)
///     }
/// }
/// ```
///
/// All members may be used from anywhere, at any time.
public final class Advertiser: Service {
    private let backend: any ServiceBackend
    private let advertisement: Mutex<Advertisement>
    private let broadcast = Broadcast(PublicationState.publishing(waitingFor: nil))
    private let once = RunOnce(Advertiser.self)

    /// The source that new TXT records are sent to while the advertiser runs.
    private let source = Mutex<TXTUpdates.Source?>(nil)

    /// Makes an advertiser. Nothing is published before ``run()``.
    ///
    /// - Throws: ``BackendError`` with the code `invalid` when the advertisement cannot be published: a name that is
    ///   empty, too long or has control characters (RFC 6763 §4.1.1), no type, port 0, or a TXT record that is too
    ///   long.
    package init(_ advertisement: Advertisement, backend: any ServiceBackend) throws(BackendError) {
        try advertisement.validate()
        self.advertisement = Mutex(advertisement)
        self.backend = backend
    }

    /// Publishes until the task is cancelled or the service group shuts down, then withdraws the service. Returns early
    /// when the publication has failed permanently; then ``currentState`` has the reason.
    ///
    /// - Throws: An error if it was called before.
    public func run() async throws {
        try once.begin()
        let (updates, source) = TXTUpdates.makeSequence()
        self.source.withLock { $0 = source }
        await cancelWhenGracefulShutdown {
            await self.backend.publish(self.advertisement.withLock { $0 }, updates: updates) { self.broadcast.send($0) }
        }
        self.source.withLock { $0 = nil }
        source.finish()
        switch broadcast.value {
        case .failed: break
        case .publishing, .published, .renamed, .withdrawn: broadcast.send(.withdrawn)
        }
        broadcast.finish()
    }

    /// Replaces the TXT record. The published record changes within a fraction of a second, without a new probe.
    ///
    /// - Throws: ``BackendError`` with the code `invalid` when the record is too long.
    public func update(txt: TXTRecord) throws(BackendError) {
        var changed = advertisement.withLock { $0 }
        changed.txt = txt
        try changed.validate()
        // Sent under the lock, so that of two concurrent updates, the one that is kept is also the one that is sent
        // last.
        advertisement.withLock { advertisement in
            advertisement.txt = txt
            source.withLock { $0 }?.send(txt)
        }
    }

    /// The current state of the publication.
    public var currentState: PublicationState { broadcast.value }

    /// Every change of state from now on, after the current state. Ends when ``run()`` has ended.
    /// A slow reader gets the latest sixteen.
    public var states: some AsyncSequence<PublicationState, Never> & Sendable {
        // A rename loop is bounded, and a reader needs no more of its states than these.
        broadcast.stream(limit: 16)
    }
}
