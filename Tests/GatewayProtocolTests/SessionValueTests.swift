import DNSSD
import TestSupport
import Testing

@testable import GatewayProtocol

/// The messages at the beginning of a session, and the setup codes and addresses that users enter.
@Suite struct SessionValueTests {
    private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    /// Unknown and malformed fields of a greeting are ignored.
    @Test func aGreetingIsReadLeniently() throws {
        let hello = try HelloOK(
            json: try json(
                #"""
                {"type":"hello-ok","protocol":4,"server":{"version":"2026.7.2","connId":"c"},"new":{"a":[]},
                 "features":{"methods":["agents.list",1],"events":[]},
                 "snapshot":{"health":{"agents":[{"agentId":"main","name":"Molty","isDefault":true},{"name":"no id"}]}},
                 "auth":{"role":"operator","scopes":["operator.read"],"deviceToken":"tok","issuedAtMs":1},
                 "policy":{"maxPayload":1,"tickIntervalMs":15000}}
                """#
            )
        )
        #expect(hello.deviceToken == Secret("tok"))
        #expect(hello.scopes == ["operator.read"])
        #expect(hello.tick == .seconds(15))
        #expect(hello.bots == [BotDescription(id: try #require(BotID("main")), name: "Molty")])
        #expect(hello.signature == .v3)
        #expect(!"\(hello)".contains("tok\""))
    }

    /// Gateways before April 2026 have no `auth` in their greeting unless they issue a token, and the version `dev`.
    @Test func aGreetingMayBeShort() throws {
        let hello = try HelloOK(json: try json(#"{"type":"hello-ok","server":{"version":"dev"}}"#))
        #expect(hello.deviceToken == nil)
        #expect(hello.scopes == nil)
        #expect(hello.tick == .seconds(30))
        #expect(hello.signature == .v2)
        for text in ["{}", "[]", #"{"type":"hello"}"#, "null"] {
            #expect(throws: GatewayMessageError.self) { try HelloOK(json: try json(text)) }
        }
    }

    /// The interval of ticks is limited: a session with an interval that is too long would never be found dead, and one
    /// with an interval that is too short would end at once.
    @Test(arguments: [("1", 1), ("-5", 1), ("0", 1), ("9999999999", 600), ("\"x\"", 30)])
    func ticksAreBounded(sent: String, seconds: Int) throws {
        let hello = try HelloOK(json: try json(#"{"type":"hello-ok","policy":{"tickIntervalMs":\#(sent)}}"#))
        #expect(hello.tick == .seconds(seconds))
    }

    @Test(arguments: [
        ("2026.1.24", OpenClawSignature.Version.v2), ("2026.2.26", .v2), ("2026.4.12-beta.1", .v3), ("2027.1.1", .v3),
        ("x.y", .v2), ("", .v2),
    ])
    func theSignatureDependsOnTheVersion(version: String, signature: OpenClawSignature.Version) throws {
        let hello = try HelloOK(json: try json(#"{"type":"hello-ok","protocol":3,"server":{"version":"\#(version)"}}"#))
        #expect(hello.signature == signature)
    }

    /// The name of a bot's identity comes before its own name, and an agent without an identifier is left out.
    @Test func aBotIsCalledByItsIdentity() throws {
        let list = try AgentList(
            json: try json(
                #"""
                {"defaultId":"main","scope":"per-sender","agents":[
                 {"id":"main","name":"x","identity":{"name":"Molty","emoji":"🦞"}},{"id":"b","name":"Friday"},
                 {"id":"c","name":""},{"id":"b","name":"twice"},{"name":"no id"},7]}
                """#
            )
        )
        #expect(list.bots.map(\.name) == ["Molty", "Friday", "c"])
        #expect(list.bots.map(\.emoji) == ["🦞", nil, nil])
        #expect(throws: GatewayMessageError.self) { try AgentList(json: try json("{}")) }
        let many = (0..<300).map { JSONValue.object(["id": .string("bot-\($0)")]) }
        #expect(try AgentList(json: .object(["agents": .array(many)])).bots.count == DiscoverPayload.maximumBots)
    }

    /// A code can name several addresses, and the certificate of the gateway. A certificate that cannot be read is an
    /// error: the code must not be sent as if it named none.
    @Test func aSetupCodeNamesAddressesAndACertificate() throws {
        func code(_ fields: String, scheme: String = "") throws -> SetupCode {
            let text = #"{"url":"ws://10.0.0.5:18789","bootstrapToken":"boot"\#(fields)}"#
            return try SetupCode(parsing: Secret(scheme + Base64.url.encode(Array(text.utf8))))
        }
        let plain = try code("", scheme: "oc-pair://")
        #expect(plain.urls.map(\.description) == ["ws://10.0.0.5:18789"])
        #expect(plain.leaf == nil)
        let digits = String(repeating: "5F", count: 32)
        let full = try code(
            #","urls":["wss://a.example","ws://10.0.0.5:18789"],"tlsFingerprint":"sha256:\#(digits)""#
        )
        #expect(full.urls.map(\.description) == ["wss://a.example", "ws://10.0.0.5:18789"])
        #expect(full.leaf == LeafFingerprint(digits.lowercased()))
        #expect(throws: SetupCode.Problem.self) { try code(#","tlsFingerprint":"5f""#) }
    }

    @Test func aSetupCodeIsRead() throws {
        let text = #"{"url":"ws://192.168.1.5:18789","bootstrapToken":"boot-1"}"#
        let code = try SetupCode(parsing: Secret("\n" + Base64.url.encode(Array(text.utf8)) + " \n"))
        #expect(code.url.host == "192.168.1.5")
        #expect(code.url.port == 18_789)
        #expect(code.bootstrapToken == Secret("boot-1"))
    }

    @Test(arguments: [
        #"{"url":"http://a","bootstrapToken":"b"}"#, #"{"url":"ws://a"}"#, #"{"bootstrapToken":"b"}"#, "[]", "x",
        #"{"url":"ws://a","bootstrapToken":""}"#, #"{"url":"ws://u:p@a","bootstrapToken":"b"}"#,
    ])
    func whatIsNoSetupCodeIsRefused(text: String) {
        #expect(throws: SetupCode.Problem.self) {
            try SetupCode(parsing: Secret(Base64.url.encode(Array(text.utf8))))
        }
        #expect(throws: SetupCode.Problem.self) { try SetupCode(parsing: Secret(text)) }
        let long = Secret(String(repeating: "A", count: 9_000))
        #expect(throws: SetupCode.Problem.self) { try SetupCode(parsing: long) }
    }

    /// Every sequence of bytes has exactly one form in Base64 for URLs; all other forms are refused.
    @Test func base64IsReadInItsOneForm() {
        let forms: [([UInt8], String)] = [([], ""), ([0xFF], "_w"), ([0xFB, 0xF0], "-_A"), ([1, 2, 3], "AQID")]
        for (bytes, text) in forms {
            #expect(Base64.url.encode(bytes) == text)
            #expect(Base64.url.decode(text) == bytes)
        }
        for text in ["A", "_x", "_w==", "+w", "_w\n", "-_B", "é"] { #expect(Base64.url.decode(text) == nil, "\(text)") }
        var generator = SeededGenerator(seed: 7)
        for count in 0..<100 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            #expect(Base64.url.decode(Base64.url.encode(bytes)) == bytes)
        }
    }

    @Test(arguments: [
        ("wss://bot.example.trycloudflare.com", "bot.example.trycloudflare.com", 443, "/", true),
        ("WS://10.0.0.1:18789/gateway", "10.0.0.1", 18_789, "/gateway", false),
        ("ws://2nd-pc:3000", "2nd-pc", 3_000, "/", false), ("ws://[fe80::1]:3000", "fe80::1", 3_000, "/", false),
        ("wss://[::1]", "::1", 443, "/", true),
    ])
    func anAddressIsTakenApart(text: String, host: String, port: UInt16, resource: String, isSecure: Bool) throws {
        let url = try #require(GatewayURL(text))
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.resource == resource)
        #expect(url.isSecure == isSecure)
        #expect(GatewayURL(url.description) == url)
    }

    @Test(arguments: [
        "", "ws://", "http://a", "ws://a:0", "ws://a:65536", "ws://a:+1", "ws://a:", "ws://u@a", "ws://a?x", "ws://a#x",
        "ws://a b", "ws://[::1", "ws://[x]", "ws://[::1]x", "ws://a\\b", "ws://é", "wss//a", "ws://a%00",
        // Resolvers take these for 127.0.0.1.
        "ws://127.1", "ws://0x7f.1", "ws://2130706433", "ws://0177.0.0.1", "ws://127.1.", "ws://0X7F000001:1",
    ])
    func whatIsNoAddressIsRefused(text: String) {
        #expect(GatewayURL(text) == nil)
    }
}
