internal import DNSSD
package import GatewayProtocol

/// A link to a gateway, as used in QR codes too: `optaplus://pair?host=…&port=…&fp=…&token=…` in this network, or
/// `optaplus://pair?remote=wss://…&fp=…&token=…` outside of it.
///
/// Anybody can make one, so the gateway that it leads to is asked and shown like every other. Its token is valid for
/// one pairing and for five minutes, so a link may contain it.
package struct PairingLink: Hashable, Sendable {
    /// A problem with a link.
    package enum Problem: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The link has more than ``PairingLink/maximumLength`` bytes.
        case tooLong = "expected a link of at most 2,048 bytes, found a longer one"
        /// The text does not begin with `optaplus://pair`, followed by a query.
        case notALink = "expected a link that begins with optaplus://pair, found something else"
        /// The percent-encoding is malformed, or what it encodes is not UTF-8.
        case malformed = "expected percent-encoded UTF-8 in the link, found something else"
        /// A part occurs twice, so that two parsers might read it differently.
        case repeated = "expected each part of the link once, found one twice"
        /// There is neither `host` nor `remote`.
        case noPlace = "expected host and port, or remote, in the link, found neither"
        /// The value of `host` is neither an address nor a host name.
        case badHost = "expected a host name or an address in the link, found something else"
        /// The value of `port` is not a number from 1 to 65,535.
        case badPort = "expected a port from 1 to 65535 in the link, found something else"
        /// The value of `remote` is not a `wss://` URL.
        case badRemote = "expected a wss:// address in the link, found something else"
        /// The value of `fp` is empty or too long.
        case badFingerprint = "expected a fingerprint of 1 to 128 bytes in the link, found something else"
        /// The value of `token` is empty or too long.
        case badToken = "expected a token of 1 to 1,024 bytes in the link, found something else"

        /// A sentence for people; quotes nothing of the link.
        package var description: String { rawValue }
    }

    /// The maximum length of a link in bytes.
    package static let maximumLength = 2_048

    /// The port, if the link names none.
    package static let defaultPort: UInt16 = 3_000

    /// The place that it leads to; if it names two, the one in this network.
    package let place: PairingTarget.Place

    /// The address outside of this network.
    package let remote: GatewayURL?

    /// The fingerprint of the gateway.
    package let fingerprint: GatewayFingerprint?

    /// The one-time token.
    package let token: Secret?

    /// Indicates whether it leads outside of this network alone: to a `wss://` address.
    var isRemote: Bool {
        guard case .remote = place else { return false }
        return true
    }

    /// Reads a link.
    package init(parsing text: String) throws(Problem) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
        let start = "optaplus://pair"
        guard text.lowercased().hasPrefix(start) else { throw .notALink }
        var rest = text.dropFirst(start.count)
        if rest.hasPrefix("/") { rest = rest.dropFirst() }
        guard rest.hasPrefix("?") else { throw .notALink }
        let fields = try Self.fields(rest.dropFirst())

        let remote = try fields["remote"].map { (text: String) throws(Problem) in
            guard let url = GatewayURL(text), url.isSecure else { throw .badRemote }
            return url
        }
        self.remote = remote
        if let host = fields["host"] {
            self.place = try Self.place(host, port: fields["port"])
        } else if let remote {
            self.place = .remote(remote)
        } else {
            throw .noPlace
        }
        self.fingerprint = try fields["fp"].map { (text: String) throws(Problem) in
            guard let fingerprint = GatewayFingerprint(text) else { throw .badFingerprint }
            return fingerprint
        }
        self.token = try fields["token"].map { (text: String) throws(Problem) in
            guard (1...1_024).contains(text.utf8.count) else { throw .badToken }
            return Secret(text)
        }
    }

    private static func place(_ host: String, port: String?) throws(Problem) -> PairingTarget.Place {
        let port = try port.map { (text: String) throws(Problem) -> UInt16 in
            guard text.utf8.allSatisfy({ (48...57).contains($0) }), let port = UInt16(text), port > 0 else {
                throw .badPort
            }
            return port
        }
        let literal = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        if let address = IPAddress(literal) {
            return .endpoints([Endpoint(address: address, port: port ?? defaultPort)])
        }
        guard GatewayURL.isHostName(host) else { throw .badHost }
        return .host(host, port: port ?? defaultPort)
    }

    /// Returns the parts of the query by their names. Callers ignore unknown names.
    private static func fields(_ query: Substring) throws(Problem) -> [String: String] {
        var fields: [String: String] = [:]
        // A mark that combines with one of these does not hide it from another parser.
        for part in query.unicodeScalars.prefix(while: { $0 != "#" }).split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Substring.init)
            guard let name = PercentEncoding.decoded(pair[0]),
                let value = PercentEncoding.decoded(pair.count > 1 ? pair[1] : "")
            else { throw .malformed }
            // Two parsers might read it differently.
            guard fields.updateValue(value, forKey: name) == nil else { throw .repeated }
        }
        return fields
    }
}
