/// An event on a line connection.
public enum LineEvent: Hashable, Sendable {
    /// A line without its line feed.
    case line([UInt8])

    /// The peer hung up.
    case closed

    /// The connection failed.
    case failed(GatewayConnectionError)
}
