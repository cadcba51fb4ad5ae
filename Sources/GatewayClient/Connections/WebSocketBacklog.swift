internal import Synchronization

/// The events of a WebSocket connection that wait to be taken. It decides whether more may be read.
///
/// The frames of one read are all added, even beyond the limits, so it may hold slightly more than they allow.
final class WebSocketBacklog: Sendable {
    private struct State {
        var events = 0
        var bytes = 0
        var isReadHeld = false

        /// The number of readers that wait for messages.
        var readers: Int
    }

    /// The numbers of waiting events and bytes at which reading stops.
    private static let limits = (events: 16, bytes: 65_536)

    /// The items that wait to be taken, in their order.
    let arrivals: AsyncStream<WebSocketArrival>

    private let continuation: AsyncStream<WebSocketArrival>.Continuation
    private let state: Mutex<State>

    /// - Parameter wantsMessages: Whether a reader waits for messages all the time; otherwise messages are wanted only
    ///   between ``beginReading()`` and ``endReading()``.
    init(wantsMessages: Bool = true) {
        state = Mutex(State(readers: wantsMessages ? 1 : 0))
        (arrivals, continuation) = AsyncStream.makeStream()
    }

    /// Indicates whether anybody waits for messages; otherwise they are counted and dropped.
    var wantsMessages: Bool { state.withLock { $0.readers > 0 } }

    /// Records that one more reader waits for messages.
    func beginReading() { state.withLock { $0.readers += 1 } }

    /// Records that one of the readers no longer waits for messages.
    func endReading() { state.withLock { $0.readers -= 1 } }

    /// Appends an event.
    func add(_ event: WebSocketEvent, bytes: Int) {
        state.withLock { state in
            state.events += 1
            state.bytes += bytes
        }
        continuation.yield(.event(event))
    }

    /// Appends an item that did not come from the peer.
    func add(_ arrival: WebSocketArrival) { continuation.yield(arrival) }

    /// Ends the sequence of items.
    func finish() { continuation.finish() }

    /// Decides whether there is room for another read. Where there is none, the read is postponed, see ``took(_:)``.
    func mayRead() -> Bool {
        state.withLock { state in
            state.isReadHeld = state.events >= Self.limits.events || state.bytes >= Self.limits.bytes
            return !state.isReadHeld
        }
    }

    /// Records that an event was taken.
    ///
    /// - Returns: Whether a postponed read should be made now.
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

/// An item that waits to be taken from a WebSocket connection: an event, or a signal of our own.
enum WebSocketArrival: Sendable {
    case event(WebSocketEvent)

    /// The time of the reminder with this number is over.
    case reminder(Int)

    /// The next check is due.
    case check

    /// There are no more checks.
    case letGo
}
