package import GatewayProtocol

/// The settings of ``Connections``.
package struct ConnectionsConfiguration: Hashable, Sendable {
    /// The version of the program, which gateways receive.
    package var clientVersion: String

    /// Indicates whether somebody watches from the beginning: see ``Connections/setWatched(_:)``.
    package var isWatched: Bool

    /// The pairings whose gateways are connected to, if they are to be; `nil` for all.
    package var only: Set<PairingID>?

    /// Indicates whether sessions are opened beside those that other processes have, for a moment's requests: without
    /// holding them for this process, and without telling others of them. A Clawline provider ends one for the other, so
    /// that its session is held.
    package var isBesideOthers = false

    /// The tokens that the user has typed for gateways whose tokens are not stored. They are kept in memory alone.
    package var typedTokens: [PairingID: Secret] = [:]

    /// Creates settings; by default, nobody watches from the beginning, and all gateways are connected to.
    ///
    /// - Parameters:
    ///   - clientVersion: The version of the program.
    ///   - isWatched: Indicates whether somebody watches from the beginning.
    ///   - only: The pairings whose gateways are connected to; `nil` for all.
    package init(clientVersion: String = "1", isWatched: Bool = false, only: Set<PairingID>? = nil) {
        self.clientVersion = clientVersion
        self.isWatched = isWatched
        self.only = only
    }
}
