import GatewayProtocol
import Logging
import Testing

/// A secret is never shown, because anything that is shown once remains in the history of a terminal, in a log or in a
/// crash report.
@Suite struct SecretTests {
    private static let token = "s3cr3t-token"
    private let secret = Secret(token)

    private struct Holder {
        let secret: Secret
        var list: [Secret?]
        var table: [Secret: String]
    }

    @Test func noDescriptionShowsASecret() {
        let holder = Holder(secret: secret, list: [secret], table: [secret: "a"])
        var dumped = ""
        dump(secret, to: &dumped)
        dump(holder, to: &dumped)
        let metadata: Logger.Metadata = ["one": .stringConvertible(secret), "two": .string("\(secret)")]
        let texts = [
            "\(secret)", "\(holder)", "\(metadata)", secret.debugDescription, String(reflecting: secret),
            String(reflecting: holder), String(describing: Optional(secret)), dumped,
            "\(Mirror(reflecting: secret).children.map { "\($0)" })", "\(secret.customMirror)",
        ]
        for text in texts {
            #expect(!text.contains(Self.token))
            // The bytes are not shown as numbers either.
            #expect(!text.contains("115, 51"))
        }
        #expect("\(secret)" == "<secret>")
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect((secret as Any) as? any Encodable == nil)
    }

    /// The bytes are available to code that asks for them explicitly.
    @Test func theBytesAreAvailableOnRequest() {
        #expect(secret.revealed == Self.token)
        #expect(secret.withUnsafeBytes { Array($0) } == Array(Self.token.utf8))
        #expect(Secret(bytes: [0xFF]).revealed == nil)
        #expect(Secret("").isEmpty && !secret.isEmpty)
    }

    @Test func whetherItIsTextIsKnownWithoutACopy() {
        for bytes: [UInt8] in [[], Array("tökén 🔑".utf8), [0x00]] { #expect(Secret(bytes: bytes).isText) }
        for bytes: [UInt8] in [[0xFF], [0x61, 0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] {
            #expect(!Secret(bytes: bytes).isText)
        }
    }

    @Test func wipingReachesEveryArrayWithTheSameMemory() {
        let bytes = Array(Self.token.utf8)
        let other = bytes
        bytes.wipe()
        #expect(bytes.allSatisfy { $0 == 0 } && other == bytes && bytes.count == Self.token.utf8.count)
    }

    @Test func jsonReadsTextsOfSecretKeysAsSecrets() throws {
        let text = #"{"auth":{"token":"a\"b\u00e9","deviceToken":"plain","password":7},"name":"token"}"#
        let shown = try JSONValue(parsing: Array(text.utf8))
        let hidden = try JSONValue(parsing: Array(text.utf8), limits: JSONLimits(hidesSecrets: true))
        #expect(hidden["auth"]?["token"] == .secret(Secret("a\"bé")))
        #expect(hidden["auth"]?["deviceToken"]?.secret == Secret("plain"))
        #expect(hidden["auth"]?["password"] == 7 && hidden["name"] == "token")
        #expect(hidden["auth"]?["token"]?.string == shown["auth"]?["token"]?.string)
        #expect(!"\(hidden)".contains("plain"))
        // They are written as any other text.
        #expect(hidden.encoded == shown.encoded)
        #expect(JSONValue.secret(Secret(bytes: [0xFF])).encoded == [0x22, 0x22])
        let broken = Array(#"{"token":"#.utf8) + [0x22, 0xFF, 0x22, 0x7D]
        #expect(throws: GatewayMessageError.self) {
            try JSONValue(parsing: broken, limits: JSONLimits(hidesSecrets: true))
        }
    }

    @Test func equalityIsThatOfTheBytes() {
        #expect(secret == Secret(bytes: Array(Self.token.utf8)))
        #expect(secret == secret)
        #expect(Secret("") == Secret(bytes: []))
        for other in ["", "s", "s3cr3t-toke", "s3cr3t-tokens", "S3cr3t-token", "s3cr3t-tokem", "\u{0}"] {
            #expect(secret != Secret(other), "\(other)")
            #expect(Secret(other) != secret, "\(other)")
        }
        #expect(Set([secret, Secret(Self.token), Secret("x")]).count == 2)
    }

    /// A secret keeps a copy of the bytes: later changes of the caller's array do not affect it, and it overwrites its
    /// own copy, not the caller's.
    @Test func theBytesAreCopied() {
        var bytes = Array(Self.token.utf8)
        do {
            let copy = Secret(bytes: bytes)
            bytes[0] = 0
            #expect(copy == secret)
        }
        #expect(bytes.dropFirst() == Array(Self.token.utf8).dropFirst())
    }
}
