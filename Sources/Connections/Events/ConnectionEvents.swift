internal import DNSSD
internal import DequeModule
internal import Synchronization

/// The sessions and what becomes of them: first all of them, then every change.
///
/// A reader that is more than ``eventsKept`` events behind gets a fresh snapshot in their place; when ``Connections/run()`` ends, an
/// empty one. The last word on each endpoint, and its pin, which are in no snapshot, follow it: no reader misses these, also one
/// that comes late. It ends when the task that iterates is cancelled.
public struct ConnectionEvents: AsyncSequence, Sendable {
    public typealias Element = ConnectionEvent
    public typealias Failure = Never

    /// The most events that wait for a reader.
    public static let eventsKept = 256

    private let connections: Connections

    init(_ connections: Connections) {
        self.connections = connections
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connections) }

    /// Takes the events one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let connections: Connections
        private let queue = EventQueue()

        init(_ connections: Connections) {
            self.connections = connections
        }

        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ConnectionEvent? {
            while !Task.isCancelled {
                switch queue.take() {
                case .event(let event): return event
                case .snapshot: return .snapshot(await connections.snapshot(for: queue))
                case .none: await queue.wait()
                }
            }
            return nil
        }
    }
}

/// The events that wait for one reader.
final class EventQueue: Sendable {
    /// The next thing that a reader gets.
    enum Next {
        case event(ConnectionEvent)
        case snapshot
        case none
    }

    private struct State {
        var events: Deque<ConnectionEvent> = []
        var facts = EndpointNews()
        var isBehind = true
        var reader: CheckedContinuation<Void, Never>?

        var isEmpty: Bool { !isBehind && events.isEmpty && facts.isEmpty }
    }

    private let state = Mutex(State())

    /// Puts an event in; one that is one too many leaves it to a snapshot to tell.
    func put(_ event: ConnectionEvent) {
        let reader = state.withLock { state in
            if state.facts.put(event) || state.isBehind { return state.reader.take() }
            if state.events.count < ConnectionEvents.eventsKept {
                state.events.append(event)
            } else {
                state.events = []
                state.isBehind = true
            }
            return state.reader.take()
        }
        reader?.resume()
    }

    func take() -> Next {
        state.withLock { state in
            if state.isBehind { return .snapshot }
            if let fact = state.facts.take() { return .event(fact) }
            guard let event = state.events.popFirst() else { return .none }
            return .event(event)
        }
    }

    /// Leaves it to a snapshot to tell how things are.
    func fallBehind() {
        let reader = state.withLock { state in
            state.events = []
            state.isBehind = true
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Begins anew: a snapshot has been taken.
    func restart() {
        state.withLock { state in
            state.events = []
            state.isBehind = false
        }
    }

    /// Waits until there is something, or the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isNow = state.withLock { state in
                    if !state.isEmpty || Task.isCancelled { return true }
                    state.reader = continuation
                    return false
                }
                if isNow { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume()
        }
    }
}

/// The last word on each endpoint, and its pin, until a reader takes them. A value.
private struct EndpointNews {
    private enum Key: Hashable {
        case word(Endpoint)
        case pin(Endpoint)
    }

    private var latest: [Key: ConnectionEvent] = [:]
    private var order: Deque<Key> = []

    var isEmpty: Bool { order.isEmpty }

    /// Puts an event in the place of the one before it.
    ///
    /// - Returns: `false` for an event of another kind, which is not kept here.
    mutating func put(_ event: ConnectionEvent) -> Bool {
        let key: Key
        switch event {
        case .liveness(let endpoint, _, roundTrip: _): key = .word(endpoint)
        case .pinned(let endpoint, _): key = .pin(endpoint)
        case .snapshot, .changed, .removed: return false
        }
        if latest.updateValue(event, forKey: key) == nil { order.append(key) }
        return true
    }

    mutating func take() -> ConnectionEvent? {
        order.popFirst().flatMap { latest.removeValue(forKey: $0) }
    }
}
