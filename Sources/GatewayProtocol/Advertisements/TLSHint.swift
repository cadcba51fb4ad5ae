/// A hint about TLS in a TXT record: whether to try it first, and which certificate to expect.
///
/// A hint, not an identity: it saves a round trip, and pins nothing.
public struct TLSHint: Hashable, Sendable {
    /// Indicates whether the gateway says that it speaks TLS.
    public let isEnabled: Bool

    /// The SHA-256 of the leaf certificate's DER as 64 lower-case hexadecimal digits, if it is given.
    public let sha256: String?

    public init(isEnabled: Bool, sha256: String? = nil) {
        self.isEnabled = isEnabled
        self.sha256 = sha256
    }
}
