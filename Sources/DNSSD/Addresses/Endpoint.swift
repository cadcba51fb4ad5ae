/// An address and a port to connect to.
public struct Endpoint: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The address, link-local IPv6 with its scope.
    public let address: IPAddress

    /// The port. Port 0 cannot be connected to, but it can still be advertised.
    public let port: UInt16

    /// Creates an endpoint. Port 0 is accepted, although nothing can connect to it.
    public init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// `10.0.0.1:3000` or `[fe80::1%eth0]:3000`.
    public var description: String {
        switch address {
        case .v4(let address): "\(address):\(port)"
        case .v6(let address): "[\(address)]:\(port)"
        }
    }

    /// Orders by address, the one to try first in front, then by port.
    public static func < (lhs: Endpoint, rhs: Endpoint) -> Bool {
        (lhs.address, lhs.port) < (rhs.address, rhs.port)
    }
}
