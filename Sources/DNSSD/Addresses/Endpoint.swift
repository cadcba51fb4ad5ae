/// A place to connect to: an address, a port and, where a URL names one, a path.
///
/// Behind a front, such as a reverse proxy, each path may be a service of its own.
public struct Endpoint: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The address, link-local IPv6 with its scope.
    public let address: IPAddress

    /// The port. Port 0 cannot be connected to, but it can still be advertised.
    public let port: UInt16

    /// The path where there is another one than `/`; most endpoints have none.
    private let boxedPath: Boxed<String>?

    /// Creates an endpoint. Port 0 is accepted, although nothing can connect to it.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - port: The port.
    ///   - resource: The path of a URL, with its first slash, in printable ASCII.
    public init(address: IPAddress, port: UInt16, resource: String = "/") {
        self.address = address
        self.port = port
        self.boxedPath = resource == "/" || resource.isEmpty ? nil : Boxed(resource)
    }

    /// The path, with its first slash: `/` where none was named.
    public var resource: String { path ?? "/" }

    private var path: String? { boxedPath?.value }

    /// `10.0.0.1:3000`, `[fe80::1%eth0]:3000` or, with a path, `10.0.0.1:443/kitchen/`.
    public var description: String {
        switch address {
        case .v4(let address): "\(address):\(port)\(path ?? "")"
        case .v6(let address): "[\(address)]:\(port)\(path ?? "")"
        }
    }

    /// Orders by address, the one to try first in front, then by port and path.
    public static func < (lhs: Endpoint, rhs: Endpoint) -> Bool {
        if lhs.address != rhs.address { return lhs.address < rhs.address }
        if lhs.port != rhs.port { return lhs.port < rhs.port }
        return lhs.path ?? "" < rhs.path ?? ""
    }
}

extension Endpoint {
    /// The endpoint without its interface, which may get another number: where it matters, networks are compared apart.
    package var unscoped: Endpoint {
        let address: IPAddress =
            switch address.unmapped {
            case .v4(let address): .v4(address)
            case .v6(let address): .v6(IPv6Address(bits: address.bits))
            }
        return Endpoint(address: address, port: port, resource: resource)
    }

    /// Indicates whether another endpoint has the same port and path, at whatever address: it may be the same gateway,
    /// which has another address or several of them, while other ports and paths of one front are other gateways.
    package func isSameSite(as other: Endpoint) -> Bool {
        port == other.port && resource == other.resource
    }
}

extension Sequence<Endpoint> {
    /// Indicates whether one of the endpoints is the same site as another one, at whatever address.
    package func hasSite(of endpoint: Endpoint) -> Bool {
        contains { $0.isSameSite(as: endpoint) }
    }
}
