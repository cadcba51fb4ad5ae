package import DNSSD

/// The URL of a gateway's WebSocket: `ws://` or `wss://`, a host, and perhaps a port and a path (RFC 6455 §3).
///
/// User, query and fragment are not allowed: a secret in one of them would be shown wherever the URL is shown.
package struct GatewayURL: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of a URL.
    package static let maximumLength = 1_024

    /// Indicates whether the scheme is `wss://`.
    package let isSecure: Bool

    /// The host name in lower case, or the IP address without brackets.
    package let host: String

    /// The port; 443 or 80 where none is named.
    package let port: UInt16

    /// The path, with its first slash.
    package let resource: String

    /// Reads a URL; `nil` where the text is something else.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let scheme = text.firstRange(of: "://")
        else { return nil }
        switch text[..<scheme.lowerBound].lowercased() {
        case "ws": self.isSecure = false
        case "wss": self.isSecure = true
        default: return nil
        }
        let rest = text[scheme.upperBound...]
        guard !rest.contains(where: { "@?#\\".contains($0) }) else { return nil }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        self.resource = slash == rest.endIndex ? "/" : String(rest[slash...])
        var authority = rest[..<slash]
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let literal = String(authority[authority.index(after: authority.startIndex)..<end])
            guard case .v6 = IPAddress(literal) else { return nil }
            self.host = literal
            authority = authority[authority.index(after: end)...]
            guard authority.isEmpty || authority.hasPrefix(":") else { return nil }
        } else {
            let end = authority.firstIndex(of: ":") ?? authority.endIndex
            let name = authority[..<end].lowercased()
            guard IPAddress(name) != nil || Self.isHostName(name) else { return nil }
            self.host = name
            authority = authority[end...]
        }
        if authority.isEmpty {
            self.port = isSecure ? 443 : 80
        } else {
            // Only digits are allowed, since `UInt16.init` would accept a sign as well.
            let digits = authority.dropFirst()
            guard digits.allSatisfy(\.isNumber), let port = UInt16(digits), port > 0 else { return nil }
            self.port = port
        }
    }

    /// Indicates whether a text is the name of a host, and nothing that a resolver takes for an address.
    package static func isHostName(_ text: String) -> Bool {
        let isOfHostName = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isOfHostName && (1...253).contains(text.utf8.count) && !ServerName.isNumeric(text)
    }

    /// The IP address, where the host is one and not a name.
    package var address: IPAddress? { IPAddress(host) }

    /// Returns the place that it names at an address of its host.
    package func endpoint(at address: IPAddress) -> Endpoint {
        Endpoint(address: address, port: port, resource: resource, serverName: ServerName(host))
    }

    /// Indicates whether an endpoint has its port, path and name, at whatever address.
    package func isSameSite(as endpoint: Endpoint) -> Bool {
        self.endpoint(at: endpoint.address).isSameSite(as: endpoint)
    }

    /// The URL as text, with the port only where it is not the default.
    package var description: String {
        let isUsual = port == (isSecure ? 443 : 80)
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "wss" : "ws")://\(name)\(isUsual ? "" : ":\(port)")\(resource == "/" ? "" : resource)"
    }
}
