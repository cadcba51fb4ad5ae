/// A message or a ping that comes on a connection, whatever carries it.
enum SessionInput: Hashable, Sendable {
    /// A whole message: the payload of a WebSocket message, or a line without its line feed.
    case message([UInt8])

    /// A sign of life: a ping or a pong.
    case ping
}
