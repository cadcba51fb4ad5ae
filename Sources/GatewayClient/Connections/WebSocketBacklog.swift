internal import Synchronization

/// The events of a WebSocket connection that wait to be taken, and whether more may be read.
///
/// The frames of one read are added whatever room there is, so that it holds a little more than its limits at most.
final class WebSocketBacklog: Sendable {
    private struct State {
        var events = 0
        var bytes = 0
        var isReadHeld = false

        /// The number of those who wait for messages.
        var readers: Int
    }

    /// The most events and bytes that wait before nothing more is read.
    private static let limits = (events: 16, bytes: 65_536)

    /// The items that wait to be read, in their order.
    let arrivals: AsyncStream<WebSocketArrival>

    private let continuation: AsyncStream<WebSocketArrival>.Continuation
    private let state: Mutex<State>

    /// - Parameter wantsMessages: Whether somebody waits for messages all the time, or only while they say so.
    init(wantsMessages: Bool = true) {
        state = Mutex(State(readers: wantsMessages ? 1 : 0))
        (arrivals, continuation) = AsyncStream.makeStream()
    }

    /// Indicates whether somebody waits for messages; otherwise they are counted and dropped.
    var wantsMessages: Bool { state.withLock { $0.readers > 0 } }

    /// Is told that somebody waits for messages from now on.
    func beginReading() { state.withLock { $0.readers += 1 } }

    /// Is told that somebody who waited for messages does not any more.
    func endReading() { state.withLock { $0.readers -= 1 } }

    /// Puts an event behind the others.
    func add(_ event: WebSocketEvent, bytes: Int) {
        state.withLock { state in
            state.events += 1
            state.bytes += bytes
        }
        continuation.yield(.event(event))
    }

    /// Puts something behind the others that did not come from the peer.
    func add(_ arrival: WebSocketArrival) { continuation.yield(arrival) }

    /// Nothing more comes.
    func finish() { continuation.finish() }

    /// Decides whether there is room for what a read brings. Without it the read is owed, see ``took(_:)``.
    func mayRead() -> Bool {
        state.withLock { state in
            state.isReadHeld = state.events >= Self.limits.events || state.bytes >= Self.limits.bytes
            return !state.isReadHeld
        }
    }

    /// Is told that an event was taken.
    ///
    /// - Returns: Whether a read that was owed is to be made now.
    func took(_ event: WebSocketEvent) -> Bool {
        state.withLock { state in
            state.events -= 1
            if case .message(let bytes) = event { state.bytes -= bytes.count }
            guard state.isReadHeld, state.events < Self.limits.events, state.bytes < Self.limits.bytes else {
                return false
            }
            state.isReadHeld = false
            return true
        }
    }
}

/// An item that waits to be read from a WebSocket connection: an event, or a signal of our own.
enum WebSocketArrival: Sendable {
    case event(WebSocketEvent)

    /// The time of the reminder with this number is over.
    case reminder(Int)

    /// The next question is due.
    case check

    /// There are no more questions.
    case letGo
}
