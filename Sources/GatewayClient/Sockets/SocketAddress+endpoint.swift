package import DNSSD
package import NIOCore

extension SocketAddress {
    /// The address of an endpoint, link-local IPv6 with its scope.
    package init(_ endpoint: Endpoint) throws {
        let port = Int(endpoint.port)
        guard let scope = endpoint.address.scope, case .v6(let address) = endpoint.address else {
            try self.init(packedIPAddress: ByteBuffer(bytes: endpoint.address.bytes), port: port)
            return
        }
        // Only the system's parser takes a scope; of a literal it asks nobody.
        let literal = "\(DNSSD.IPv6Address(bits: address.bits))%\(scope.index)"
        self = try SocketAddress.makeAddressResolvingHost(literal, port: port)
    }
}
