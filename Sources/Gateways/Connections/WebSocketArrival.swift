/// What waits to be read from a WebSocket connection.
enum WebSocketArrival: Sendable {
    case event(WebSocketEvent)

    /// The time of the reminder with this number is over.
    case reminder(Int)

    /// The next question is due.
    case beat

    /// There are no more questions.
    case letGo
}
