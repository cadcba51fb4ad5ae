internal import DNSSD

/// A setup code of an OpenClaw gateway, as `openclaw qr` prints it: where the gateway is, and a token for a first
/// pairing.
///
/// It is base64url, without padding, of `{"url":"ws://…","bootstrapToken":"…"}`, perhaps with further `urls`, the time at
/// which it expires and the `tlsFingerprint` of the gateway, and perhaps behind `oc-pair://`. It holds a secret, which is
/// valid for ten minutes.
package struct SetupCode: Hashable, Sendable {
    /// The most bytes of a setup code.
    package static let maximumLength = 8_192

    /// The most addresses that a code names.
    package static let mostURLs = 8

    /// The scheme behind which a code may stand.
    package static let scheme = "oc-pair://"

    /// The address of the gateway. Untrusted, as the code itself is: anybody may have printed it.
    package let url: GatewayURL

    /// All addresses of the gateway that the code names, the one to try first in front.
    package let urls: [GatewayURL]

    /// The certificate that the gateway has to show, where the code names one.
    package let leaf: LeafFingerprint?

    /// The token.
    package let bootstrapToken: Secret

    /// The time at which it expires, in milliseconds since 1970, where the code names one.
    package let expiresAt: Int?

    /// The code itself, without a scheme before it.
    package let text: Secret

    /// A problem with a setup code.
    package enum Problem: String, Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The code has more than ``SetupCode/maximumLength`` bytes.
        case tooLong = "expected a setup code of at most 8,192 bytes, found a longer one"
        /// There is nothing but white space.
        case empty = "expected a setup code, found nothing"
        /// There are other characters than those of base64url, or padding, or an incomplete end.
        case encoding = "expected the letters, digits, - and _ of a whole setup code, found others, or a part of one"
        /// The encoded text is not the JSON of a setup code.
        case malformed = "expected the JSON of a setup code in it, found something else"
        /// A key occurs twice, so that two parsers might read it differently.
        case repeated = "expected each key of the setup code once, found one twice"
        /// There is no address.
        case noURL = "expected the address of a gateway in the setup code, found none"
        /// An address has another scheme than `ws` or `wss`.
        case badScheme = "expected an address with ws:// or wss:// in the setup code, found another scheme"
        /// An address has no valid port.
        case badPort = "expected a port from 1 to 65535 in the address of the setup code, found something else"
        /// An address is no address of a gateway for another reason.
        case badURL = "expected the address of a gateway in the setup code, found something else"
        /// An address without TLS leads out of local networks.
        case plainRemote =
            "expected wss:// for an address outside of local networks, found ws://, over which everybody could read the token"
        /// There are more than ``SetupCode/mostURLs`` addresses.
        case tooManyURLs = "expected at most 8 addresses in the setup code, found more"
        /// The token is missing, empty or too long.
        case badToken = "expected a token of 1 to 1,024 bytes in the setup code, found none, or another one"
        /// The time at which it expires is no time.
        case badExpiry = "expected the time at which the setup code expires in milliseconds, found something else"
        /// The certificate is not 64 hexadecimal digits.
        case badLeaf = "expected the SHA-256 of a certificate in the setup code, found something else"
        /// It has expired.
        case expired = "expected a fresh setup code, found one that has expired. Get a new one: openclaw qr"

        /// A sentence for people; quotes nothing of the code.
        package var description: String { rawValue }
    }

    /// Reads a code, with nothing but white space around it.
    package init(parsing code: Secret) throws(Problem) {
        let characters = code.withUnsafeBytes { Array($0) }
        guard characters.count <= Self.maximumLength else { throw .tooLong }
        let trimmed = characters.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        guard !trimmed.isEmpty else { throw .empty }
        guard var text = String(validating: trimmed, as: UTF8.self)?[...] else { throw .encoding }
        if text.lowercased().hasPrefix(Self.scheme) { text = text.dropFirst(Self.scheme.count) }
        guard !text.isEmpty else { throw .empty }
        guard let bytes = Base64.url.decode(text) else { throw .encoding }
        try self.init(payload: bytes)
    }

    /// Reads the JSON that a code encodes.
    package init(payload bytes: [UInt8]) throws(Problem) {
        // Encoded, it is a third longer.
        guard bytes.count <= Self.maximumLength / 4 * 3 else { throw .tooLong }
        let json: JSONValue
        do throws(GatewayMessageError) {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw error.code == .duplicateKey ? .repeated : .malformed
        }
        guard case .object(let fields) = json else { throw .malformed }
        func value(_ key: String) -> JSONValue? { fields[key] == .null ? nil : fields[key] }

        var urls: [GatewayURL] = []
        if let list = value("urls") {
            guard let texts = list.array else { throw .badURL }
            guard texts.count <= Self.mostURLs else { throw .tooManyURLs }
            for text in texts { urls.append(try Self.url(text)) }
        }
        guard
            let first = try value("url").map({ (text: JSONValue) throws(Problem) in try Self.url(text) }) ?? urls.first
        else { throw .noURL }
        self.url = first
        // Its own order counts, where it has one: `url` is there for those that read nothing else.
        var seen: Set<GatewayURL> = []
        self.urls = (urls.contains(first) ? urls : [first] + urls).filter { seen.insert($0).inserted }
        // A pin that cannot be read must not become none.
        self.leaf = try value("tlsFingerprint").map { (pin: JSONValue) throws(Problem) in
            let digits = (pin.string ?? "").lowercased().filter { $0 != ":" && $0 != " " }
            guard let leaf = LeafFingerprint(digits.hasPrefix("sha256") ? String(digits.dropFirst(6)) : digits) else {
                throw .badLeaf
            }
            return leaf
        }
        self.expiresAt = try value("expiresAtMs").map { (time: JSONValue) throws(Problem) in
            guard let time = time.int, time > 0 else { throw .badExpiry }
            return time
        }
        guard let token = value("bootstrapToken")?.string, (1...1_024).contains(token.utf8.count) else {
            throw .badToken
        }
        self.bootstrapToken = Secret(token)
        self.text = Secret(Base64.url.encode(bytes))
    }

    /// Returns the code with the certificate that the gateway has to show: without it, other programs know none by which they
    /// could recognize a gateway with TLS. A code that names one stays as it is.
    package func naming(_ leaf: LeafFingerprint) -> SetupCode {
        guard self.leaf == nil,
            let bytes = text.withUnsafeBytes({ Base64.url.decode(String(decoding: $0, as: UTF8.self)) }),
            case .object(var fields)? = try? JSONValue(parsing: bytes)
        else { return self }
        fields["tlsFingerprint"] = .string("\(leaf)")
        return (try? SetupCode(payload: JSONValue.object(fields).encoded)) ?? self
    }

    /// Throws if it has expired at a time in milliseconds since 1970.
    package func checkFresh(at time: Int) throws(Problem) {
        if let expiresAt, expiresAt <= time { throw .expired }
    }

    private static func url(_ value: JSONValue) throws(Problem) -> GatewayURL {
        guard let text = value.string else { throw .badURL }
        guard let url = GatewayURL(text) else { throw Self.problem(of: text) }
        if !url.isSecure, let address = url.address, !address.mayHaveSecretsInClear { throw .plainRemote }
        return url
    }

    /// Returns the problem of a text that is no address of a gateway.
    private static func problem(of text: String) -> Problem {
        guard let scheme = text.firstRange(of: "://") else { return .badURL }
        guard ["ws", "wss"].contains(text[..<scheme.lowerBound].lowercased()) else { return .badScheme }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" }
        guard !authority.contains("@") else { return .badURL }
        guard let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") else { return .badURL }
        // Without its port, it is an address.
        return GatewayURL("ws://\(authority[..<colon])") == nil ? .badURL : .badPort
    }
}
