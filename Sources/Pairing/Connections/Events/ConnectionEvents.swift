internal import DequeModule
internal import Synchronization

/// The sessions and their changes: first all sessions, then every change.
///
/// A reader that is more than ``eventsKept`` events behind gets a fresh snapshot in their place, and an empty one when
/// ``Connections/run()`` ends. The sequence ends when the task that iterates is cancelled.
package struct ConnectionEvents: AsyncSequence, Sendable {
    package typealias Element = ConnectionEvent
    package typealias Failure = Never

    /// The maximum number of events that wait for a reader.
    package static let eventsKept = 256

    private let connections: Connections

    init(_ connections: Connections) {
        self.connections = connections
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(connections) }

    /// The iterator, which returns the events one by one.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let connections: Connections
        private let queue = EventQueue()

        init(_ connections: Connections) {
            self.connections = connections
        }

        package mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ConnectionEvent? {
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
        var isBehind = true
        var reader: CheckedContinuation<Void, Never>?

        var isEmpty: Bool { !isBehind && events.isEmpty }
    }

    private let state = Mutex(State())

    /// Adds an event. When there are too many, a snapshot takes their place.
    func put(_ event: ConnectionEvent) {
        let reader = state.withLock { state in
            if state.isBehind { return state.reader.take() }
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
            guard let event = state.events.popFirst() else { return .none }
            return .event(event)
        }
    }

    /// Drops the events, so that the reader gets a snapshot instead.
    func fallBehind() {
        let reader = state.withLock { state in
            state.events = []
            state.isBehind = true
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Starts to collect events again, since a snapshot has been taken.
    func restart() {
        state.withLock { state in
            state.events = []
            state.isBehind = false
        }
    }

    /// Waits until there is something to take, or the task is cancelled.
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
