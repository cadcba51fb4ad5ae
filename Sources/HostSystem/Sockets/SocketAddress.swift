package import DNSSD
package import Glibc

/// An address and a port, as the socket calls use them.
package struct SocketAddress: Hashable, Sendable {
    package let address: IPAddress
    package let port: UInt16

    package init(_ address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// The same address and port as an ``/DNSSD/Endpoint``.
    package var endpoint: Endpoint { Endpoint(address: address, port: port) }

    /// Copies a `sockaddr` of either family; `nil` for any other family.
    ///
    /// - Parameters:
    ///   - pointer: A complete `sockaddr_in` or `sockaddr_in6`, according to its family.
    ///   - interface: The interface to which a link-local address belongs.
    package init?(_ pointer: UnsafePointer<sockaddr>, interface: NetworkInterface?) {
        // The family determines the size of the structure, and it was filled in by the system.
        switch CInt(pointer.pointee.sa_family) {
        case AF_INET:
            let value = UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in.self)
            address = .v4(IPv4Address(bits: UInt32(bigEndian: value.sin_addr.s_addr)))
            port = UInt16(bigEndian: value.sin_port)
        case AF_INET6:
            let value = UnsafeRawPointer(pointer).loadUnaligned(as: sockaddr_in6.self)
            let bytes = withUnsafeBytes(of: value.sin6_addr) { Array($0) }
            guard let address = IPv6Address(bytes: bytes, scope: interface) else { return nil }
            self.address = .v6(address)
            port = UInt16(bigEndian: value.sin6_port)
        default:
            return nil
        }
    }

    /// Calls `body` with the address as a `sockaddr`, which is valid only during the call.
    package func withSocketAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        switch address {
        case .v4(let address):
            var value = sockaddr_in()
            value.sin_family = sa_family_t(AF_INET)
            value.sin_port = port.bigEndian
            value.sin_addr.s_addr = address.bits.bigEndian
            return withUnsafePointer(to: &value) { pointer in
                // Every socket address begins with its family, by which the system recognizes the structure.
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        case .v6(let address):
            var value = sockaddr_in6()
            value.sin6_family = sa_family_t(AF_INET6)
            value.sin6_port = port.bigEndian
            value.sin6_scope_id = address.scope?.index ?? 0
            withUnsafeMutableBytes(of: &value.sin6_addr) { $0.copyBytes(from: address.bytes) }
            return withUnsafePointer(to: &value) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
    }
}
