internal import DNSSD

/// A URL behind which an OpenClaw gateway keeps a setup code: `https://HOST/j/CODE`. It can be fetched exactly once, for
/// ten minutes. Without TLS it is allowed on this host alone.
package struct JoinURL: Hashable, Sendable, CustomStringConvertible {
    /// The most bytes of a URL.
    package static let maximumLength = 1_024

    /// A problem with a URL.
    package enum Problem: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The URL has more than ``JoinURL/maximumLength`` bytes.
        case tooLong = "expected a join URL of at most 1,024 bytes, found a longer one"
        /// The scheme is another one than `https`, or `http`.
        case badScheme = "expected a join URL that begins with https://, found something else"
        /// It has a user, a query, a fragment, or characters that no URL has.
        case malformed = "expected a join URL of a host and a path alone, found more, or something else"
        /// There is no valid port.
        case badPort = "expected a port from 1 to 65535 in the join URL, found something else"
        /// There is no valid host.
        case badHost = "expected a host name or an address in the join URL, found something else"
        /// The path does not end with `/j/` and a code.
        case noCode = "expected a join URL that ends with /j/ and a code, found another path"
        /// It has no TLS, and leads to another host than this one.
        case plainRemote =
            "expected https://, found http://, which is for this host alone: everybody could read the code"

        /// A sentence for people; quotes nothing of the URL.
        package var description: String { rawValue }
    }

    /// Indicates whether the scheme is `https`.
    package let isSecure: Bool

    /// The host name in lower case, or the IP address without brackets.
    package let host: String

    /// The port; 443 or 80 where none is named.
    package let port: UInt16

    /// The path, with the code at its end. A secret.
    package let resource: Secret

    /// Indicates whether a text is meant as a join URL, so that it is no address of a gateway.
    package static func isMeant(by text: String) -> Bool {
        let text = text.lowercased()
        guard text.hasPrefix("https://") || text.hasPrefix("http://") else { return false }
        return text.prefix { $0 != "?" && $0 != "#" }.contains("/j/")
    }

    /// Reads a URL.
    package init(parsing text: String) throws(Problem) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        let lower = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lower.hasPrefix($0) }) else { throw .badScheme }
        let rest = text.dropFirst(scheme.count)
        guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !rest.contains(where: { "@?#\\%".contains($0) })
        else {
            throw .malformed
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let parts = rest[slash...].split(separator: "/", omittingEmptySubsequences: false)
        guard let code = parts.last, parts.count >= 3, parts[parts.count - 2] == "j", Self.isCode(code) else {
            throw .noCode
        }
        // The same host and port in the form that gateways have: one parser for both.
        let isSecure = scheme == "https://"
        let authority = rest[..<slash]
        guard let url = GatewayURL("\(isSecure ? "wss" : "ws")://\(authority)/") else {
            let colon = authority.lastIndex(of: ":")
            let isPort = colon.map { GatewayURL("ws://\(authority[..<$0])") != nil } ?? false
            throw isPort ? .badPort : .badHost
        }
        guard isSecure || url.host == "localhost" || url.address?.unmapped.isLoopback == true else {
            throw .plainRemote
        }
        self.isSecure = isSecure
        self.host = url.host
        self.port = url.port
        self.resource = Secret(String(rest[slash...]))
    }

    private static func isCode(_ text: Substring) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The scheme, host and port, without the code.
    package var description: String {
        let isUsual = port == (isSecure ? 443 : 80)
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "https" : "http")://\(name)\(isUsual ? "" : ":\(port)")"
    }
}
