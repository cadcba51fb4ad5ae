/// A place to connect to: an address, a port and, where the user named them, a host name and a path.
///
/// Behind a front, such as a reverse proxy, each host name and each path may be a service of its own.
public struct Endpoint: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The address, link-local IPv6 with its scope.
    public let address: IPAddress

    /// The port. Port 0 cannot be connected to, but it can still be advertised.
    public let port: UInt16

    /// The name and the path where there are others than none and `/`; most endpoints have neither.
    private let boxedSite: Boxed<Site>?

    /// The path and the host name, by which a front tells the services on one port apart.
    private struct Site: Hashable, Comparable {
        let resource: String
        let serverName: ServerName?

        static func < (lhs: Site, rhs: Site) -> Bool {
            if lhs.resource != rhs.resource { return lhs.resource < rhs.resource }
            guard let name = rhs.serverName else { return false }
            return lhs.serverName.map { $0 < name } ?? true
        }
    }

    /// Creates an endpoint. Port 0 is accepted, although nothing can connect to it.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - port: The port.
    ///   - resource: The path of a URL, with its first slash, in printable ASCII.
    ///   - serverName: The host name by which the user named it; `nil` if there was none, as for whatever was advertised.
    ///     `localhost` names this host and nothing on it (RFC 6761 §6.3), and counts as none.
    package init(address: IPAddress, port: UInt16, resource: String = "/", serverName: ServerName? = nil) {
        self.address = address
        self.port = port
        let resource = resource.isEmpty ? "/" : resource
        let serverName = serverName?.isLocalhost == true ? nil : serverName
        let isPlain = resource == "/" && serverName == nil
        self.boxedSite = isPlain ? nil : Boxed(Site(resource: resource, serverName: serverName))
    }

    /// The path, with its first slash: `/` where none was named.
    public var resource: String { boxedSite?.value.resource ?? "/" }

    /// The host name by which the user named it; `nil` where none was.
    package var serverName: ServerName? { boxedSite?.value.serverName }

    /// `10.0.0.1:3000`, `[fe80::1%eth0]:3000` or, with a path and a name, `kitchen.example=10.0.0.1:443/bot/`.
    public var description: String {
        let name = serverName.map { "\($0)=" } ?? ""
        let path = resource == "/" ? "" : resource
        return switch address {
        case .v4(let address): "\(name)\(address):\(port)\(path)"
        case .v6(let address): "\(name)[\(address)]:\(port)\(path)"
        }
    }

    /// Orders by address, the one to try first in front, then by port, path and name.
    public static func < (lhs: Endpoint, rhs: Endpoint) -> Bool {
        if lhs.address != rhs.address { return lhs.address < rhs.address }
        if lhs.port != rhs.port { return lhs.port < rhs.port }
        guard let site = rhs.boxedSite?.value else { return false }
        return lhs.boxedSite.map { $0.value < site } ?? true
    }
}

extension Endpoint {
    /// Returns the endpoint with the same port, path and name at another address.
    package func at(_ address: IPAddress) -> Endpoint {
        Endpoint(address: address, port: port, resource: resource, serverName: serverName)
    }

    /// The endpoint without its interface, which may get another number: where it matters, networks are compared apart.
    package var unscoped: Endpoint {
        switch address.unmapped {
        case .v4(let address): at(.v4(address))
        case .v6(let address): at(.v6(IPv6Address(bits: address.bits)))
        }
    }

    /// The endpoint without the name.
    package var unnamed: Endpoint { Endpoint(address: address, port: port, resource: resource) }

    /// Indicates whether another endpoint has the same port, path and name, at whatever address: it may be the same gateway,
    /// which has another address or several of them, while the other ports, paths and names of one front are other gateways.
    package func isSameSite(as other: Endpoint) -> Bool {
        hasPortAndPath(of: other) && serverName == other.serverName
    }

    /// Indicates whether another endpoint has the same address, port and path, and no other name: one without a name may be
    /// what a name leads to there.
    package func mayBeSamePlace(as other: Endpoint) -> Bool {
        unnamed == other.unnamed && (serverName == nil || other.serverName == nil || serverName == other.serverName)
    }

    /// Indicates whether another endpoint has the same port and path, by whatever name and at whatever address.
    package func hasPortAndPath(of other: Endpoint) -> Bool { port == other.port && resource == other.resource }
}

extension Sequence<Endpoint> {
    /// Indicates whether one of the endpoints is the same site as another one, at whatever address.
    package func hasSite(of endpoint: Endpoint) -> Bool {
        contains { $0.isSameSite(as: endpoint) }
    }

    /// Returns an endpoint by the name by which the first of these with its port and path is asked, if it has none itself:
    /// what is advertised has no name, and may be behind a front that needs one.
    package func naming(_ endpoint: Endpoint) -> Endpoint {
        guard endpoint.serverName == nil,
            let name = first(where: { $0.hasPortAndPath(of: endpoint) })?.serverName
        else { return endpoint }
        return Endpoint(address: endpoint.address, port: endpoint.port, resource: endpoint.resource, serverName: name)
    }
}
