/// The settings of ``Connections``.
public struct ConnectionsConfiguration: Hashable, Sendable {
    /// The version of the program, which gateways receive.
    public var clientVersion: String

    /// Indicates whether somebody watches from the beginning: see ``Connections/setWatched(_:)``.
    public var isWatched: Bool

    /// Creates settings; by default, nobody watches from the beginning.
    ///
    /// - Parameters:
    ///   - clientVersion: The version of the program.
    ///   - isWatched: Indicates whether somebody watches from the beginning.
    public init(clientVersion: String = "1", isWatched: Bool = false) {
        self.clientVersion = clientVersion
        self.isWatched = isWatched
    }
}
