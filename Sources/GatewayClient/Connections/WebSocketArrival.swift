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
