package import DNSSD
package import NIOCore

extension SocketAddress {
    /// Makes the socket address of an endpoint; a link-local IPv6 address keeps its scope.
    package init(_ endpoint: Endpoint) throws {
        let port = Int(endpoint.port)
        guard let scope = endpoint.address.scope, case .v6(let address) = endpoint.address else {
            try self.init(packedIPAddress: ByteBuffer(bytes: endpoint.address.bytes), port: port)
            return
        }
        // Only the system's resolver understands a scope; for a literal address it sends no query.
        let literal = "\(DNSSD.IPv6Address(bits: address.bits))%\(scope.index)"
        self = try SocketAddress.makeAddressResolvingHost(literal, port: port)
    }
}
