import Crypto
import GatewayProtocol
import Testing

/// The signature by which a device proves its identity, compared with test vectors that OpenClaw gateways accept.
@Suite struct SignatureTests {
    private static let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    private static let deviceID = "21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9"
    private static let signatures: [OpenClawSignature.Version: String] = [
        .v2: "8YOkVg48_4ASApe87cBpEKoxsiteJxaA7CLhMnXStKX3JVH4Hvgx7laawq9OhpSCaKk9s9mcrmh8q16XjxS-Cw",
        .v3: "3yOeTGSidzBTxx4fAKjRqB7zbtqLh4BODWoae5X9w6xyg4e6fNOMpTokuLr83inD6B_-wwney13LyGr7h5jhAA",
    ]

    private func key() throws -> Curve25519.Signing.PrivateKey {
        let digits = Array(Self.seed)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(String(digits[index...index + 1]), radix: 16)
        }
        return try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    }

    /// The identifier of a device is the SHA-256 of its public key.
    @Test func theKeyMakesTheIdentifier() throws {
        let publicKey = Array(try key().publicKey.rawRepresentation)
        #expect(Base64.url.encode(publicKey) == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
        #expect(LeafFingerprint(bytes: Array(SHA256.hash(data: publicKey)))?.description == Self.deviceID)
    }

    /// The text that is signed is that of the test vectors, in both versions.
    @Test(arguments: OpenClawSignature.Version.allCases)
    func theVectorsAreSignaturesOfOurText(version: OpenClawSignature.Version) throws {
        let text = OpenClawSignature(
            deviceID: Self.deviceID,
            clientID: "gateway-client",
            clientMode: "backend",
            role: "operator",
            scopes: ["operator.read", "operator.pairing"],
            signedAt: 1_737_264_000_000,
            token: Secret("tok-123"),
            nonce: "nonce-abc",
            platform: "linux"
        ).text(version)
        let key = try key()
        let expected = try #require(Self.signatures[version].flatMap { Base64.url.decode($0) })
        #expect(key.publicKey.isValidSignature(expected, for: text))
        let made = try key.signature(for: text)
        #expect(key.publicKey.isValidSignature(made, for: text))
        // BoringSSL makes signatures as in RFC 8032, which are deterministic.
        #expect(Base64.url.encode(made) == Self.signatures[version])
    }
}
