package import DNSSD

/// The peer at the other end of a connection.
package struct GatewayPeer: Hashable, Sendable, CustomStringConvertible {
    /// The number of the connection, counted from 1 since the gateway was started.
    package let connection: Int

    /// The address and port it comes from.
    package let address: String

    /// The address alone; `nil` where it is not known.
    package var ip: IPAddress?

    /// The `Origin` that it sent with its upgrade to WebSocket, as browsers do.
    package var origin: String?

    /// Indicates whether it is on this host.
    var isLoopback: Bool { ip?.isLoopback ?? false }

    package var description: String { address }
}
