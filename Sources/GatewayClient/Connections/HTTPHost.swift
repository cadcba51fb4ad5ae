internal import NIOCore

/// The headers `Host` and `User-Agent` of our requests: the `Host` is the address itself, since a name could choose
/// another site on the peer; but the name where the peer has proved it by its certificate.
enum HTTPHost {
    /// The name of this program, for the log of whoever runs the gateway.
    static let userAgent = "clawradar/0"

    /// `10.0.0.1:3000` or `[fe80::1]:3000`; a scope means nothing to anybody but us (RFC 6874). With a name
    /// `example.com`, and the port where it is not 443.
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
