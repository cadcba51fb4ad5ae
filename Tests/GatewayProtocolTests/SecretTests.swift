import GatewayProtocol
import Logging
import Testing

/// A token that is shown once is in a terminal's history, a log or a report of a crash for good.
@Suite struct SecretTests {
    private static let token = "s3cr3t-token"
    private let secret = Secret(token)

    private struct Holder {
        let secret: Secret
        var list: [Secret?]
        var table: [Secret: String]
    }

    @Test func nothingThatShowsValuesShowsIt() {
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
            // Nor its bytes as numbers.
            #expect(!text.contains("115, 51"))
        }
        #expect("\(secret)" == "<secret>")
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect((secret as Any) as? any Encodable == nil)
    }

    @Test func whoeverSendsItHasItByAskingForIt() {
        #expect(secret.revealed == Self.token)
        #expect(secret.withUnsafeBytes { Array($0) } == Array(Self.token.utf8))
        #expect(Secret(bytes: [0xFF]).revealed == nil)
        #expect(Secret("").isEmpty && !secret.isEmpty)
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

    /// The caller's own copy must not be what is overwritten at the end, nor what is kept.
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
