public import PairingStore

/// The settings of ``Connections``.
public struct ConnectionsConfiguration: Hashable, Sendable {
    /// The version of the program, which gateways receive.
    public var clientVersion: String

    /// Indicates whether somebody watches from the beginning: see ``Connections/setWatched(_:)``.
    public var isWatched: Bool

    /// The pairings whose gateways are connected to, if they are to be; `nil` for all.
    public var only: Set<PairingID>?

    /// Creates settings; by default, nobody watches from the beginning, and all gateways are connected to.
    ///
    /// - Parameters:
    ///   - clientVersion: The version of the program.
    ///   - isWatched: Indicates whether somebody watches from the beginning.
    ///   - only: The pairings whose gateways are connected to; `nil` for all.
    public init(clientVersion: String = "1", isWatched: Bool = false, only: Set<PairingID>? = nil) {
        self.clientVersion = clientVersion
        self.isWatched = isWatched
        self.only = only
    }
}
