import Testing

@testable import GatewayProtocol

/// The texts that a device signs and the frames that it sends, byte for byte, because gateways refuse everything that
/// differs.
@Suite struct OpenClawConnectTests {
    /// The public key of RFC 8032 §7.1, test 1.
    private static let publicKey: [UInt8] = [
        0xD7, 0x5A, 0x98, 0x01, 0x82, 0xB1, 0x0A, 0xB7, 0xD5, 0x4B, 0xFE, 0xD3, 0xC9, 0x64, 0x07, 0x3A, 0x0E, 0xE1,
        0x72, 0xF3, 0xDA, 0xA6, 0x23, 0x25, 0xAF, 0x02, 0x1A, 0x68, 0xF7, 0x07, 0x51, 0x1A,
    ]
    private static let deviceID = "21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9"
    private static let vector =
        "|21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9|gateway-client|backend|operator"
        + "|operator.read,operator.pairing|1737264000000|tok-123|nonce-abc"

    private func connect(_ credential: SessionCredential) -> OpenClawConnect {
        OpenClawConnect(
            clientVersion: "1",
            platform: "linux",
            displayName: "Kitchen",
            scopes: ["operator.read", "operator.pairing"],
            deviceID: Self.deviceID,
            publicKey: Self.publicKey,
            signedAt: 1_737_264_000_000,
            nonce: "nonce-abc",
            credential: credential
        )
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The signed text is that of test vectors of OpenClaw.
    @Test func theSignedTextIsThatOfTheVectors() {
        let connect = connect(.deviceToken(Secret("tok-123")))
        #expect(text(connect.signedText(.v2)) == "v2" + Self.vector)
        #expect(text(connect.signedText(.v3)) == "v3" + Self.vector + "|linux|")
        #expect(Base64.url.encode(Self.publicKey) == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
    }

    /// The signed text contains the token that is sent, but never a password.
    @Test func onlyTokensAreSigned() {
        for credential in [SessionCredential.sharedToken(Secret("tok-123")), .bootstrapToken(Secret("tok-123"))] {
            #expect(text(connect(credential).signedText(.v2)) == "v2" + Self.vector)
        }
        let unsigned = "v2" + Self.vector.replacing("tok-123", with: "")
        #expect(text(connect(.password(Secret("tok-123"))).signedText(.v2)) == unsigned)
        #expect(text(connect(.none).signedText(.v2)) == unsigned)
    }

    @Test(arguments: [
        ("  İOS  ", "İos"), ("\u{FEFF}Linux\u{3000}\n", "linux"), ("ÄB c", "Äb c"), ("", ""), (" \t", ""),
        ("\u{85}X", "\u{85}x"),
    ])
    func platformsAreNormalised(platform: String, normalized: String) {
        #expect(OpenClawSignature.normalized(platform) == normalized)
    }

    /// Only keys that all versions of OpenClaw accept are sent, because older gateways refuse unknown ones.
    @Test func nothingMoreIsSentThanAllVersionsTake() throws {
        let json = connect(.deviceToken(Secret("tok-123"))).json(signature: [0xFB, 0xFF])
        let keys = try #require(json.object).keys.sorted()
        #expect(keys == ["auth", "caps", "client", "device", "maxProtocol", "minProtocol", "role", "scopes"])
        let client = try #require(json["client"]?.object)
        let sent: [String: JSONValue] = [
            "id": "gateway-client", "mode": "backend", "version": "1", "platform": "linux", "displayName": "Kitchen",
        ]
        #expect(client == sent)
        #expect(json["device"]?["signature"] == "-_8")
        #expect(json["device"]?["publicKey"] == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
        let device = try #require(json["device"]?.object).keys.sorted()
        #expect(device == ["id", "nonce", "publicKey", "signature", "signedAt"])
        #expect(json["minProtocol"]?.int == 3)
        #expect(json["maxProtocol"]?.int == 4)
        #expect(json["caps"] == .array([]))
    }

    @Test func eachCredentialHasItsKey() {
        func auth(_ credential: SessionCredential, names: Bool = false) -> JSONValue? {
            var connect = connect(credential)
            connect.namesDeviceToken = names
            return connect.json(signature: [])["auth"]
        }
        let secret = Secret("s")
        // Gateways of January 2026 know only this key for a device token.
        #expect(auth(.deviceToken(secret)) == .object(["token": .secret(secret)]))
        #expect(auth(.deviceToken(secret), names: true) == .object(["deviceToken": .secret(secret)]))
        #expect(auth(.sharedToken(secret), names: true) == .object(["token": .secret(secret)]))
        #expect(auth(.password(secret)) == .object(["password": .secret(secret)]))
        #expect(auth(.bootstrapToken(secret)) == .object(["bootstrapToken": .secret(secret)]))
        #expect(auth(.none) == nil)
    }

    /// No description of a value that contains a credential shows the secret.
    @Test func nothingPrintsASecret() {
        let connect = connect(.deviceToken(Secret("tok-123")))
        var dumped = ""
        dump(connect, to: &dumped)
        #expect(!"\(connect) \(dumped)".contains("tok-123"))
    }

    @Test func optaplusSendsItsToken() {
        let json = OptaplusConnect(deviceID: "d", clientVersion: "1", platform: "linux", token: Secret("t")).json
        #expect(json["auth"] == .object(["token": .secret(Secret("t"))]))
        #expect(json["minProtocol"]?.int == 3)
        #expect(json["maxProtocol"]?.int == 3)
    }
}
