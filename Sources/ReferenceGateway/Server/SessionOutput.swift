/// A message or a goodbye that goes out on a connection, whatever carries it.
enum SessionOutput: Hashable, Sendable {
    /// A whole message.
    case message([UInt8])

    /// A ping. A peer that has not answered the last one is hung up on.
    case ping

    /// A goodbye, and the end soon after.
    case close(UInt16, reason: String = "")
}
