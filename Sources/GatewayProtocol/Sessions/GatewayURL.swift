public import DNSSD

/// The address of a gateway's WebSocket: `ws://` or `wss://`, a host, and perhaps a port and a path (RFC 6455 §3).
///
/// Without user, query and fragment: a secret in one would be shown wherever the address is.
public struct GatewayURL: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of one.
    public static let maximumLength = 1_024

    /// Indicates whether it is `wss://`.
    public let isSecure: Bool

    /// The host name in lower case, or the address without its brackets.
    public let host: String

    /// The port; 443 or 80 where none is named.
    public let port: UInt16

    /// The path, with its first slash.
    public let resource: String

    /// Reads one; `nil` where it is something else.
    public init?(_ text: String) {
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
            guard (1...253).contains(name.utf8.count), name.allSatisfy(Self.isOfHostName) else { return nil }
            self.host = name
            authority = authority[end...]
        }
        if authority.isEmpty {
            self.port = isSecure ? 443 : 80
        } else {
            // Digits alone: a sign would be read as well.
            let digits = authority.dropFirst()
            guard digits.allSatisfy(\.isNumber), let port = UInt16(digits), port > 0 else { return nil }
            self.port = port
        }
    }

    private static func isOfHostName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "-" || character == "." || character == "_"
    }

    /// The address, where the host is one and no name.
    public var address: IPAddress? { IPAddress(host) }

    /// The address as it is written, with a port where it is not the usual one.
    public var description: String {
        let isUsual = port == (isSecure ? 443 : 80)
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "wss" : "ws")://\(name)\(isUsual ? "" : ":\(port)")\(resource == "/" ? "" : resource)"
    }
}
