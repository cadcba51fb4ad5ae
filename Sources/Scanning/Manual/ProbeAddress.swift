package import DNSSD
package import GatewayClient
package import GatewayProtocol

/// An address that the user wants to have probed: `HOST:PORT`, or a URL of `ws`, `wss`, `http` or `https`. The address of a
/// host can be given with its name, as clawradar shows it: `NAME=ADDRESS:PORT`.
public struct ProbeAddress: Hashable, Sendable, CustomStringConvertible {
    /// A name, an IPv4 address, or an IPv6 address without its brackets.
    public let host: String

    /// The port; of a host without one, the first of the ports that are asked.
    public let port: UInt16

    /// Indicates whether a port was given. A host without one is asked at the ports at which gateways usually listen, and is a
    /// gateway at each of them at which one answers.
    public let hasPort: Bool

    /// The name before the address of a host; `nil` without one.
    private let givenName: ServerName?

    /// The path of the URL; `/` without one.
    public let resource: String

    /// The transports that are tried.
    package let transports: ProbeTransports

    /// The form of an address, for people.
    private static let form =
        "An address is HOST:PORT, [IPv6]:PORT or a URL, such as 192.168.1.50:3000 or wss://studio.local:18789/"

    /// Reads an address, such as `192.168.1.50:3000` or `wss://studio.local:18789/`.
    ///
    /// - Throws: An error that describes what is wrong if it is none, or if it has a user name or a password.
    public init(_ text: String) throws {
        let expected = ProbeAddressProblem("\(Self.form).")
        func problem(_ what: String) -> ProbeAddressProblem { ProbeAddressProblem("\(Self.form); \(what).") }
        var rest = text[...]
        var defaultPort: UInt16?
        var transports = ProbeTransports.plainFirst
        if let scheme = text.firstRange(of: "://") {
            switch text[..<scheme.lowerBound].lowercased() {
            case "ws", "http": (defaultPort, transports) = (80, .plainOnly)
            case "wss", "https": (defaultPort, transports) = (443, .tlsOnly)
            default: throw problem("a URL is one of ws, wss, http or https")
            }
            rest = text[scheme.upperBound...]
        }
        let slash = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
        let tail = rest[slash...].prefix { $0 != "#" }
        var authority = rest[..<slash]
        // The part before an `@` is a secret.
        guard !authority.unicodeScalars.contains("@") else {
            throw problem("nothing secret is sent, so that no user name and no password belong into it")
        }
        let equals = authority.firstIndex(of: "=")
        self.givenName = try equals.map { equals in
            guard let name = ServerName(String(authority[..<equals])) else {
                throw problem("before the = stands the name of a host")
            }
            return name
        }
        if let equals { authority = authority[authority.index(after: equals)...] }
        // It goes unchanged into the first line of a request.
        guard tail.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw expected }
        self.resource = tail.hasPrefix("/") ? String(tail) : "/" + tail
        self.transports = transports

        let host: Substring
        let portText: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { throw expected }
            host = authority[authority.index(after: authority.startIndex)..<end]
            let after = authority[authority.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else { throw expected }
            portText = after.isEmpty ? nil : after.dropFirst()
        } else {
            let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
            guard let first = parts.first, parts.count <= 2 else {
                throw problem("an IPv6 address stands between brackets")
            }
            (host, portText) = (first, parts.count == 2 ? parts[1] : nil)
        }
        guard (1...255).contains(host.utf8.count), host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw expected
        }
        if let portText {
            guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(portText), port > 0 else {
                throw problem("a port is a number from 1 to 65535")
            }
            self.port = port
        } else {
            guard let defaultPort else {
                let ports = GatewayDialect.usualPorts.map(String.init).joined(separator: ", ")
                throw problem("the port is missing, which usually is one of \(ports)")
            }
            self.port = defaultPort
        }
        self.hasPort = true
        self.host = String(host)
        guard givenName == nil || IPAddress(self.host) != nil else {
            throw problem("after the = stands the address of the host")
        }
    }

    /// Reads an address as ``init(_:)`` does, or a host without a port: an IP address, or a name with a dot.
    ///
    /// - Throws: An error that describes what is wrong if it is neither.
    public init(orHost text: String) throws {
        guard let host = Self.host(text), let port = GatewayDialect.usualPorts.first else {
            do {
                self = try ProbeAddress(text)
            } catch {
                throw ProbeAddressProblem("\(error) Without a port, it is an IP address or a name with a dot.")
            }
            return
        }
        self.init(host: host, port: port, hasPort: false)
    }

    private init(host: String, port: UInt16, hasPort: Bool) {
        (self.host, self.port, self.hasPort) = (host, port, hasPort)
        (givenName, resource, transports) = (nil, "/", .plainFirst)
    }

    /// Makes the address of a place whose host the user named; `nil` for a place without a name.
    package init?(_ place: Endpoint, transports: ProbeTransports) {
        guard let name = place.serverName else { return nil }
        (host, port, givenName, resource) = (name.description, place.port, nil, place.resource)
        hasPort = true
        self.transports = transports
    }

    /// The addresses to ask, each with its port.
    package var places: [ProbeAddress] {
        hasPort ? [self] : GatewayDialect.usualPorts.map { ProbeAddress(host: host, port: $0, hasPort: true) }
    }

    /// Returns the host that a text consists of: an IP address, or a name with a dot; `nil` if it is something else.
    package static func host(_ text: String) -> String? {
        let bare = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        if IPAddress(String(bare.prefix { $0 != "%" })) != nil { return bare }
        let isName =
            text.utf8.allSatisfy { $0 < 0x80 } && text.allSatisfy { $0.isLetter || $0.isNumber || "-.".contains($0) }
        return isName && text.contains(".") && text.contains(where: \.isLetter) ? text : nil
    }

    /// The name of the host; `nil` for a numeric address alone.
    package var hostName: String? { givenName?.description ?? (IPAddress(host) == nil ? host : nil) }

    /// Returns the place at an address of the host.
    package func endpoint(at address: IPAddress) -> Endpoint {
        Endpoint(address: address, port: port, resource: resource, serverName: hostName.flatMap { ServerName($0) })
    }

    /// The dialect that is likely to answer. A URL with a scheme rules out a bridge.
    package var dialect: GatewayDialect? {
        let expected = GatewayProbeTarget.expected(ofPort: port)
        return expected == .bridge && transports != .plainFirst ? nil : expected
    }

    /// Host and port, as they are typed.
    public var description: String {
        guard hasPort else { return host }
        let name = givenName.map { "\($0)=" } ?? ""
        return host.contains(":") ? "\(name)[\(host)]:\(port)" : "\(name)\(host):\(port)"
    }
}

/// The reason why a text is no address: what was expected, and what is wrong. The caller reports what was found.
package struct ProbeAddressProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, for people.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
