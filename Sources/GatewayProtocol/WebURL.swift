internal import DNSSD

/// The address of a web server with a path. A value.
package struct WebURL: Hashable, Sendable {
    package let isSecure: Bool

    /// A host name or an address, an IPv6 address without brackets.
    package let host: String

    package let port: Int

    /// The path with its query.
    package let target: String

    /// Reads a URL with the scheme `https` or `http`; `nil` for any other text, such as one with a user or a fragment.
    package init?(_ text: String) {
        guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 }) else {
            return nil
        }
        let secure = text.lowercased().hasPrefix("https://")
        guard secure || text.lowercased().hasPrefix("http://") else { return nil }
        let rest = text.dropFirst(secure ? 8 : 7)
        let authority = rest.prefix { !"/?#".contains($0) }
        let target = rest.dropFirst(authority.count)
        guard !target.contains("#"), !authority.contains("@"), let (host, port) = Self.place(authority) else {
            return nil
        }
        isSecure = secure
        self.host = host
        self.port = port ?? (secure ? 443 : 80)
        self.target = target.hasPrefix("/") ? String(target) : "/\(target)"
    }

    private static func place(_ authority: Substring) -> (host: String, port: Int?)? {
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("[") {
            host = authority.dropFirst().prefix { $0 != "]" }
            guard host.count + 1 < authority.count, host.contains(":") else { return nil }
            rest = authority.dropFirst(host.count + 2)
        } else {
            host = authority.prefix { $0 != ":" }
            rest = authority.dropFirst(host.count)
        }
        let isName = host.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || ".-:%_".utf8.contains(byte)
        }
        guard !host.isEmpty, isName else { return nil }
        guard !rest.isEmpty else { return (String(host), nil) }
        guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (String(host), Int(port))
    }

    /// The scheme, host and port, without the path, which can be a secret.
    package var origin: String {
        let literal = host.contains(":") ? "[\(host)]" : host
        let isStandard = port == (isSecure ? 443 : 80)
        return "\(isSecure ? "https" : "http")://\(literal)\(isStandard ? "" : ":\(port)")"
    }

    /// Indicates whether it is this host itself. A name that begins like an address is none.
    package var isThisHost: Bool { host.lowercased() == "localhost" || IPAddress(host)?.isLoopback == true }
}
