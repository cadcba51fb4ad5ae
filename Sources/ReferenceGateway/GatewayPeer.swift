/// The peer at the other end of a connection.
package struct GatewayPeer: Hashable, Sendable, CustomStringConvertible {
    /// The number of the connection, counted from 1 since the gateway was started.
    package let connection: Int

    /// The address and port it comes from.
    package let address: String

    package init(connection: Int, address: String) {
        self.connection = connection
        self.address = address
    }

    package var description: String { address }
}
