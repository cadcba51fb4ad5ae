/// A setup code of an OpenClaw gateway, as `openclaw qr` prints it: where the gateway is, and a token for a first
/// pairing.
///
/// It is base64url, without padding, of `{"url":"ws://…","bootstrapToken":"…"}`, perhaps with further `urls` and the
/// `tlsFingerprint` of the gateway, and perhaps behind `oc-pair://`. It holds a secret, which is valid for ten minutes.
public struct SetupCode: Hashable, Sendable {
    /// The most bytes of a setup code.
    public static let maximumLength = 4_096

    /// The most addresses that are read beside ``url``.
    static let mostURLs = 8

    /// The address of the gateway. Untrusted, as the code itself is: anybody may have printed it.
    public let url: GatewayURL

    /// All addresses of the gateway that the code names, ``url`` first.
    public let urls: [GatewayURL]

    /// The certificate that the gateway has to show, where the code names one.
    public let leaf: LeafFingerprint?

    /// The token.
    public let bootstrapToken: Secret

    /// Reads a code, with nothing but white space around it.
    ///
    /// - Throws: ``GatewayMessageError``.
    public init(parsing code: Secret) throws(GatewayMessageError) {
        let characters = code.withUnsafeBytes { Array($0) }
        guard characters.count <= Self.maximumLength else {
            throw GatewayMessageError(.tooLong, "expected a setup code of at most \(Self.maximumLength) bytes")
        }
        let trimmed = characters.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        guard var text = String(validating: trimmed, as: UTF8.self)?[...], !text.isEmpty else {
            throw GatewayMessageError(.malformed, "the setup code is empty, or no text")
        }
        let scheme = "oc-pair://"
        if text.lowercased().hasPrefix(scheme) { text = text.dropFirst(scheme.count) }
        guard let bytes = Base64.url.decode(String(text)) else {
            throw GatewayMessageError(.malformed, "the setup code is not of the letters, digits, - and _ of one")
        }
        let fields = try JSONFields(try JSONValue(parsing: bytes), of: "the setup code")
        guard let url = GatewayURL(try fields.string("url", limit: GatewayURL.maximumLength)) else {
            throw GatewayMessageError(.wrongType, "\u{201C}url\u{201D} of the setup code is no address of a gateway")
        }
        self.url = url
        // An address that cannot be read is one at which nothing is to be sent, and so is left out.
        let others = (fields["urls"]?.array ?? []).prefix(Self.mostURLs).compactMap {
            $0.string.flatMap(GatewayURL.init)
        }
        self.urls = [url] + others.filter { $0 != url }
        // A pin that cannot be read must not become none.
        let pin = try fields.optionalString("tlsFingerprint", limit: 256)
        self.leaf = try pin.map { (text: String) throws(GatewayMessageError) in
            let digits = text.lowercased().filter { $0 != ":" && $0 != " " }
            guard let leaf = LeafFingerprint(digits.hasPrefix("sha256") ? String(digits.dropFirst(6)) : digits) else {
                let message = "\u{201C}tlsFingerprint\u{201D} of the setup code is not the SHA-256 of a certificate"
                throw GatewayMessageError(.wrongType, message)
            }
            return leaf
        }
        let token = try fields.string("bootstrapToken", limit: 1_024)
        guard !token.isEmpty else { throw GatewayMessageError(.missingField, "the setup code has no token") }
        self.bootstrapToken = Secret(token)
    }
}
