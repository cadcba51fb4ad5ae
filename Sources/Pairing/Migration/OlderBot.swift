internal import DNSSD
package import GatewayProtocol

/// A bot as the older configuration lists it, with the token that opens it. Keys that mean nothing here are not kept.
package struct OlderBot: Sendable {
    /// A reason why an entry cannot be imported, for people. Quotes nothing of the entry.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    /// The limit of each entry: one has some ten short fields, and a picture of a few hundred kilobytes at most.
    static let limits = JSONLimits(maximumBytes: 1_048_576, maximumDepth: 16, maximumValues: 4_096, hidesSecrets: true)

    private static let mostTokenBytes = 16_384

    /// The line of the file on which its entry begins.
    package let line: Int

    /// The identifier of the bot.
    package let id: BotID

    /// Its name. Untrusted.
    package let name: String

    /// The address of its gateway: `wss://` where TLS is demanded, `ws://` where it may have TLS or not.
    package let url: GatewayURL

    /// The token that opens it.
    package let token: Secret

    /// Its colour, as `#rrggbb`; `nil` if it has none that is understood.
    package let accentColor: String?

    /// Indicates whether it is connected by itself.
    package let isEnabled: Bool

    /// The host name that a certificate has to prove; `nil` for an address, or where nothing says that there is TLS.
    package var certifiedHost: String? { url.isSecure && url.address == nil ? url.host : nil }

    /// Reads an entry, which begins on a line of the file.
    init(_ json: JSONValue, line: Int) throws(Problem) {
        self.line = line
        guard json.object != nil else { throw Problem("expected an object, found something else") }
        let id = try Self.text(json, "id")
        guard let botID = BotID(id), !id.utf8.contains(0) else { throw Problem("expected “id” of 1 to 128 bytes") }
        self.id = botID
        let name = json["name"] == nil ? id : try Self.text(json, "name")
        self.name = name.isEmpty ? id : name
        guard let token = json["token"]?.secret, !token.isEmpty else {
            throw Problem("expected “token”, a text, found none")
        }
        guard token.withUnsafeBytes(\.count) <= Self.mostTokenBytes else {
            throw Problem("expected “token” of at most 16,384 bytes, found a longer one")
        }
        self.token = token
        if let enabled = json["isEnabled"] {
            guard let enabled = enabled.bool else { throw Problem("expected true or false in “isEnabled”") }
            self.isEnabled = enabled
        } else {
            self.isEnabled = true
        }
        accentColor = Self.colour(json["accentColor"])
        url = try Self.url(json)
    }

    /// Reads a colour: shares of red, green and blue from 0 to 1, or hexadecimal digits. It is no reason to refuse a bot.
    private static func colour(_ json: JSONValue?) -> String? {
        if let text = json?.string { return StoredBot.accentColor(text) }
        guard json?.object != nil else { return nil }
        let shares = ["red", "green", "blue"].map { name -> Double? in
            guard let value = json?[name] else { return 0 }
            guard case .number(let number) = value, let share = number.double, (0...1).contains(share) else {
                return nil
            }
            return share
        }
        let bytes = shares.compactMap(\.self).map { UInt8(($0 * 255).rounded()) }
        return bytes.count == 3 ? "#\(bytes.hexadecimal)" : nil
    }

    private static func text(_ json: JSONValue, _ key: String) throws(Problem) -> String {
        guard let value = json[key] else { throw Problem("expected “\(key)”, found none") }
        guard let text = value.string else { throw Problem("expected a text in “\(key)”, found something else") }
        return text
    }

    private static func url(_ json: JSONValue) throws(Problem) -> GatewayURL {
        let method = json["connectionMethod"] == nil ? "lan" : try text(json, "connectionMethod")
        guard ["lan", "manual", "tunnel"].contains(method) else {
            throw Problem("expected lan, manual or tunnel in “connectionMethod”, found something else")
        }
        var port: Int?
        if let value = json["port"] {
            guard let number = value.int, (1...65_535).contains(number) else {
                throw Problem("expected a port from 1 to 65535 in “port”, found something else")
            }
            port = number
        }
        let host = try text(json, "host")
        let url: GatewayURL?
        if host.contains("://") {
            // The port of the URL counts before the field, which says nothing else in a file that the app wrote.
            let isPortless = !host.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }.hasPort
            url = GatewayURL(isPortless ? Self.inserting(port, into: host) : host)
        } else {
            let isTunnel = method == "tunnel"
            let literal = IPAddress(host)?.family == .ipv6 ? "[\(host)]" : host
            url = GatewayURL("\(isTunnel ? "wss" : "ws")://\(literal):\(port ?? (isTunnel ? 443 : 3_000))")
        }
        guard let url else {
            throw Problem("expected an address, a host name or a wss:// address in “host”, found something else")
        }
        return url
    }

    private static func inserting(_ port: Int?, into url: String) -> String {
        guard let port, let scheme = url.firstRange(of: "://") else { return url }
        let end = url[scheme.upperBound...].firstIndex(of: "/") ?? url.endIndex
        return "\(url[..<end]):\(port)\(url[end...])"
    }
}

extension StringProtocol {
    /// Indicates whether an authority names a port.
    fileprivate var hasPort: Bool {
        guard let colon = lastIndex(of: ":") else { return false }
        return !self[colon...].contains("]")
    }
}
