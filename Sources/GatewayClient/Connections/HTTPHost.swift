internal import NIOCore

/// The headers `Host` and `User-Agent` of our requests. The `Host` is the address itself, since a name could select
/// another site on the peer; it is the name where the user has typed one, or the peer has proved it by a certificate.
enum HTTPHost {
    /// The name of this program, for the log of the gateway.
    static let userAgent = "clawradar/0"

    /// Returns the header `Host`: `10.0.0.1:3000` or `[fe80::1]:3000`, without a scope, which means something only on
    /// this host (RFC 6874). With a name, it is `example.com`, with the port where that is not 443.
    static func value(of channel: any Channel, named name: String? = nil) -> String {
        if let name {
            guard let port = channel.remoteAddress?.port, port != 443 else { return name }
            return "\(name):\(port)"
        }
        guard let address = channel.remoteAddress, let ip = address.ipAddress, let port = address.port else {
            return ""
        }
        let literal = ip.prefix { $0 != "%" }
        return literal.contains(":") ? "[\(literal)]:\(port)" : "\(literal):\(port)"
    }
}
