import DNSSD
import Foundation
import GatewayProtocol
import TestSupport
import Testing

@testable import Pairing

/// The one parser for links, setup codes and join URLs: what is meant as which, and the sentence for each problem.
@Suite struct PairingInvitationTests {
    private static let digits = String(repeating: "5f", count: 32)

    private static func code(_ json: String) -> String { Base64.url.encode(Array(json.utf8)) }

    private static let small = #"{"url":"ws://10.0.0.5:18789","bootstrapToken":"boot-1"}"#
    private static let full =
        #"{"url":"wss://a.example","urls":["ws://10.0.0.5:18789","wss://a.example","wss://10.0.0.5"],"#
        + #""bootstrapToken":"boot-1","expiresAtMs":1700000000000,"tlsFingerprint":"\#(digits)"}"#

    /// Invitations of every form.
    static let invitations = [
        "optaplus://pair?host=192.168.1.50&port=3000&fp=abc&token=xyz",
        "optaplus://pair?remote=wss://bot.example/&fp=\(digits)&token=xyz", code(small), code(full),
        "oc-pair://" + code(full), "  OC-PAIR://\(code(small))\n", "https://gateway.example/j/aB3-_x",
        "https://gateway.example:8443/claw/j/aB3", "http://127.0.0.1:18789/j/aB3", "http://localhost/j/aB3",
        "http://[::1]:18789/j/aB3",
    ]

    @Test(arguments: invitations) func eachFormIsRead(_ text: String) throws {
        let read = try #require(try PairingInvitation(parsing: text))
        // No description of it holds what opens the gateway.
        let shown = "\(read)"
        #expect(!shown.contains("xyz") && !shown.contains("boot-1") && !shown.contains("aB3"), "\(shown)")
    }

    /// A code that was wrapped over lines, stands in quotation marks or ends a sentence is read: people copy it so.
    @Test(arguments: invitations) func whatIsCopiedWithItIsLeftOut(_ text: String) throws {
        let whole = try #require(try PairingInvitation(parsing: text))
        let plain = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let middle = plain.index(plain.startIndex, offsetBy: plain.count / 2)
        let wrapped = "\(plain[..<middle]) \r\n  \(plain[middle...])"
        for copied in [wrapped, "\(plain).", "“\(plain)”,", "<\(plain)>", "'\(wrapped)'.\n"] {
            #expect(try PairingInvitation(parsing: copied) == whole, "\(copied)")
        }
    }

    @Test(arguments: [
        "Home Gateway", "10.0.0.5:18789", "wss://studio.local:18789/", "https://studio.local/gateway", "eyJ", "e", "",
        "eleven-gateways-in-one-very-long-row-of-them-all",
    ])
    func otherTextsAreNoInvitation(_ text: String) throws {
        #expect(try PairingInvitation(parsing: text) == nil)
    }

    @Test func aCodeNamesItsAddressesInItsOrder() throws {
        let read = try SetupCode(parsing: Secret(Self.code(Self.full)))
        #expect(read.urls.map(\.description) == ["ws://10.0.0.5:18789", "wss://a.example", "wss://10.0.0.5"])
        #expect(read.leaf == LeafFingerprint(Self.digits) && read.expiresAt == 1_700_000_000_000)
        #expect(throws: Never.self) { try read.checkFresh(at: 1_699_999_999_999) }
        #expect(throws: SetupCode.Problem.expired) { try read.checkFresh(at: 1_700_000_000_000) }
    }

    // MARK: Problems

    /// A code for another device names the certificate of the gateway, by which other programs recognize it; one that names
    /// one stays as it is, and nothing else changes.
    @Test func aCodeNamesTheCertificate() throws {
        let (own, other) = (try PairingSamples.leaf(7), try PairingSamples.leaf(8))
        let json = #"{"url":"wss://10.0.0.2:18789","bootstrapToken":"boot","expiresAtMs":5}"#
        let bare = try SetupCode(parsing: Secret(Base64.url.encode(Array(json.utf8))))
        let named = bare.naming(own)
        #expect(bare.leaf == nil && named.leaf == own && named.expiresAt == 5)
        #expect(named.bootstrapToken == bare.bootstrapToken && named.urls == bare.urls)
        #expect(try SetupCode(parsing: named.text) == named && named.naming(other) == named)
    }

    /// The setup codes that are refused, each for its own reason.
    static let badCodes: [(String, SetupCode.Problem)] = [
        (String(repeating: "A", count: 8_193), .tooLong), ("oc-pair://", .empty), (" \n", .empty),
        (code(small) + "=", .encoding), (code(small).replacing("e", with: "+"), .encoding),
        ("oc-pair://a b", .encoding),
        (String(code(small).dropLast()), .encoding), (code("[]"), .malformed), (code("{"), .malformed),
        (code(#"{"url":"ws://10.0.0.1","url":"ws://10.0.0.2","bootstrapToken":"b"}"#), .repeated),
        (code(#"{"bootstrapToken":"b"}"#), .noURL), (code(#"{"url":null,"bootstrapToken":"b"}"#), .noURL),
        (code(#"{"url":"http://10.0.0.1","bootstrapToken":"b"}"#), .badScheme),
        (code(#"{"url":"ws://10.0.0.1:0","bootstrapToken":"b"}"#), .badPort),
        (code(#"{"url":"ws://10.0.0.1:65536","bootstrapToken":"b"}"#), .badPort),
        (code(#"{"url":"ws://10.0.0.1:+1","bootstrapToken":"b"}"#), .badPort),
        (code(#"{"url":"ws://u:p@10.0.0.1","bootstrapToken":"b"}"#), .badURL),
        (code(#"{"url":"ws://10.0.0.1/?a=b","bootstrapToken":"b"}"#), .badURL),
        (code(#"{"url":7,"bootstrapToken":"b"}"#), .badURL),
        (code(#"{"url":"ws://127.1","bootstrapToken":"b"}"#), .badURL),
        (code(#"{"url":"ws://0x7f.1:18789","bootstrapToken":"b"}"#), .badURL),
        (code(#"{"url":"ws://10.0.0.1","urls":["rubbish"],"bootstrapToken":"b"}"#), .badURL),
        (code(#"{"url":"ws://203.0.113.1","bootstrapToken":"b"}"#), .plainRemote),
        (code(#"{"urls":["ws://203.0.113.1"],"bootstrapToken":"b"}"#), .plainRemote),
        (
            code(
                #"{"urls":[\#((1...9).map { "\"ws://10.0.0.\($0)\"" }.joined(separator: ","))],"bootstrapToken":"b"}"#
            ),
            .tooManyURLs
        ),
        // Behind a join URL there may be one that is longer in base64url than a code may be.
        (
            code(#"{"url":"ws://10.0.0.1","bootstrapToken":"b","x":"\#(String(repeating: "y", count: 6_144))"}"#),
            .tooLong
        ),
        (code(#"{"url":"ws://10.0.0.1"}"#), .badToken),
        (code(#"{"url":"ws://10.0.0.1","bootstrapToken":""}"#), .badToken),
        (code(#"{"url":"ws://10.0.0.1","bootstrapToken":7}"#), .badToken),
        (code(#"{"url":"ws://10.0.0.1","bootstrapToken":"b","expiresAtMs":"soon"}"#), .badExpiry),
        (code(#"{"url":"ws://10.0.0.1","bootstrapToken":"b","expiresAtMs":-1}"#), .badExpiry),
        (code(#"{"url":"wss://10.0.0.1","bootstrapToken":"b","tlsFingerprint":"5f"}"#), .badLeaf),
        (code(#"{"url":"wss://10.0.0.1","bootstrapToken":"b","tlsFingerprint":7}"#), .badLeaf),
    ]

    @Test(arguments: badCodes.indices) func eachProblemOfACodeHasItsSentence(_ index: Int) {
        let (text, problem) = Self.badCodes[index]
        #expect(throws: problem) { try SetupCode(parsing: Secret(text)) }
    }

    @Test(arguments: [
        ("https://" + String(repeating: "a", count: 1_024), JoinURL.Problem.tooLong), ("ftp://a/j/b", .badScheme),
        ("https://u@gateway.example/j/a", .malformed), ("https://gateway.example/j/a?b=c", .malformed),
        ("https://gateway.example/j/a#b", .malformed), ("https://gateway.example/j/%61", .malformed),
        ("https://gateway.example/j/ä", .malformed), ("https://gateway.example:0/j/a", .badPort),
        ("https://gateway.example:99999/j/a", .badPort), ("https:///j/a", .badHost), ("https://a+b/j/a", .badHost),
        ("http://127.1/j/a", .badHost), ("https://2852039166/j/a", .badHost),
        ("https://gateway.example/j/", .noCode), ("https://gateway.example/j/a/b", .noCode),
        ("https://gateway.example/x/a", .noCode), ("https://gateway.example", .noCode),
        ("http://192.168.1.5/j/a", .plainRemote), ("http://gateway.example/j/a", .plainRemote),
    ])
    func eachProblemOfAJoinURLHasItsSentence(_ text: String, _ problem: JoinURL.Problem) {
        #expect(throws: problem) { try JoinURL(parsing: text) }
    }

    @Test func allProblemsAreTested() {
        let codes = Set(Self.badCodes.map(\.1))
        // That it has expired is seen by its reader.
        #expect(codes.union([.expired]) == Set(SetupCode.Problem.allCases))
        let sentences = SetupCode.Problem.allCases.map(\.description) + JoinURL.Problem.allCases.map(\.description)
        #expect(Set(sentences).count == sentences.count)
    }

    @Test func theProblemOfAnInvitationSaysWhichItIs() throws {
        #expect(throws: PairingInvitation.Problem.link(.noPlace)) { try PairingInvitation(parsing: "optaplus://pair?") }
        #expect(throws: PairingInvitation.Problem.setupCode(.encoding)) {
            try PairingInvitation(parsing: "oc-pair://?")
        }
        #expect(throws: PairingInvitation.Problem.join(.noCode)) { try PairingInvitation(parsing: "https://a/j/") }
    }

    // MARK: Hostile texts

    /// Whatever is changed in an invitation, it is read within its bounds, or refused: nothing else happens. What is read
    /// is read the same again.
    @Test(.timeLimit(.minutes(5))) func mutatedInvitations() {
        var generator = SeededGenerator.forFuzzing("mutated invitations")
        let texts = Self.invitations + [Self.small, Self.full]
        let problem = TestCases.firstProblem(of: TestCases.count(100_000), &generator) { seed in
            var generator = SeededGenerator(seed: seed)
            let text = texts[generator.draw(texts.count)]
            let isJSON = text.hasPrefix("{")
            let bytes = generator.mutate(Array(text.utf8))
            let mutated = isJSON ? Base64.url.encode(bytes) : String(decoding: bytes, as: UTF8.self)
            return Self.problem(with: mutated)
        }
        #expect(problem == nil, "\(problem ?? "")")
    }

    private static func problem(with text: String) -> String? {
        guard let read = try? PairingInvitation(parsing: text) else { return nil }
        guard read == (try? PairingInvitation(parsing: text)) else { return "\(text) is read in two ways" }
        switch read {
        case .link(let link):
            let isBounded = (link.token?.count ?? 1) <= 1_024 && (link.remote?.isSecure ?? true)
            return isBounded ? nil : "\(text) is out of bounds"
        case .setupCode(let code):
            let isBounded =
                (1...9).contains(code.urls.count) && code.urls.contains(code.url) && !code.bootstrapToken.isEmpty
                && code.urls.allSatisfy { url in
                    url.isSecure || url.address.map { $0.unmapped.isLoopback || $0.unmapped.isLocalNetwork } ?? true
                }
            return isBounded ? nil : "\(text) is out of bounds"
        case .join(let url):
            let isAllowed =
                url.isSecure || url.host == "localhost" || IPAddress(url.host)?.unmapped.isLoopback == true
            return isAllowed && url.port > 0 ? nil : "\(text) leads elsewhere"
        }
    }
}
