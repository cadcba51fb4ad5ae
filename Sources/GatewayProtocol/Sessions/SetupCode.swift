/// A setup code of an OpenClaw gateway, as `openclaw qr` prints it: where the gateway is, and a token for a first
/// pairing.
///
/// It is base64url, without padding, of `{"url":"ws://…","bootstrapToken":"…"}`. It holds a secret, which is valid for
/// ten minutes.
public struct SetupCode: Hashable, Sendable {
    /// The most bytes of a setup code.
    public static let maximumLength = 4_096

    /// The address of the gateway. Untrusted, as the code itself is: anybody may have printed it.
    public let url: GatewayURL

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
        guard let text = String(validating: trimmed, as: UTF8.self), !text.isEmpty,
            let bytes = Base64.url.decode(text)
        else { throw GatewayMessageError(.malformed, "the setup code is not of the letters, digits, - and _ of one") }
        let fields = try JSONFields(try JSONValue(parsing: bytes), of: "the setup code")
        guard let url = GatewayURL(try fields.string("url", limit: GatewayURL.maximumLength)) else {
            throw GatewayMessageError(.wrongType, "\u{201C}url\u{201D} of the setup code is no address of a gateway")
        }
        self.url = url
        let token = try fields.string("bootstrapToken", limit: 1_024)
        guard !token.isEmpty else { throw GatewayMessageError(.missingField, "the setup code has no token") }
        self.bootstrapToken = Secret(token)
    }
}
