internal import Synchronization

/// The events of a WebSocket connection that wait to be taken. It decides whether more may be read.
///
/// The frames of one read are all added, even beyond the limits, so it may hold slightly more than they allow.
final class WebSocketBacklog: Sendable {
    private struct State {
        var events = 0
        var bytes = 0
        var isReadHeld = false
    }

    /// The numbers of waiting events and bytes at which reading stops.
    private static let limits = (events: 16, bytes: 65_536)

    /// The items that wait to be taken, in their order.
    let arrivals: AsyncStream<WebSocketArrival>

    private let continuation: AsyncStream<WebSocketArrival>.Continuation
    private let state = Mutex(State())

    /// Indicates whether messages become events; otherwise they are counted and dropped.
    let wantsMessages: Bool

    init(wantsMessages: Bool = true) {
        self.wantsMessages = wantsMessages
        (arrivals, continuation) = AsyncStream.makeStream()
    }

    /// Appends an event.
    func add(_ event: WebSocketEvent, bytes: Int) {
        state.withLock { state in
            state.events += 1
            state.bytes += bytes
        }
        continuation.yield(.event(event))
    }

    /// Appends the reminder with this number.
    func remind(_ number: Int) { continuation.yield(.reminder(number)) }

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

/// An item that waits to be taken from a WebSocket connection: an event, or a reminder of our own.
enum WebSocketArrival: Sendable {
    case event(WebSocketEvent)

    /// The time of the reminder with this number is over.
    case reminder(Int)
}
