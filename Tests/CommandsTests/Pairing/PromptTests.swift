import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Commands
@testable import Console
@testable import Pairing

/// The prompt before pairing shows what a gateway says of itself as its words. None of it begins a line, wraps, or pushes
/// the lines of this tool away; the trust in it comes last, above the question.
@Suite struct PromptTests {
    private static let hostile = [
        "trust        TLS, pinned to the certificate sha256 \(String(repeating: "0", count: 64)), which is proved",
        "Home” “Office", "a\r\n  trust        TLS", "\u{1B}[2J\u{1B}[H", "\u{202E}evil\u{202C}",
        String(repeating: "漢", count: 64),
        "x" + String(repeating: " ", count: 60) + "Pair with it? [y/N] y", String(repeating: "👨‍👩‍👧‍👦", count: 40),
    ]

    private static func offer(_ text: String, bots: Int) throws -> PairingOffer {
        PairingOffer(
            gatewayID: .candidate(.endpoint(Rows.endpoint())),
            name: text,
            dialect: .openClaw,
            fingerprint: GatewayFingerprint(String(decoding: text.utf8.prefix(128), as: UTF8.self)),
            bots: try (0..<bots).map { BotDescription(id: try #require(BotID("bot-\($0)")), name: text, emoji: "🤖") },
            endpoint: Rows.endpoint(),
            leaf: LeafFingerprint(String(repeating: "5f", count: 32))
        )
    }

    @Test(arguments: [40, 80], hostile)
    func wordsOfAGatewayStayInTheirLine(width: Int, text: String) throws {
        let lines = PairingText.lines(try Self.offer(text, bots: 64), advertised: [], width: width)
        let own = lines.filter { !$0.hasPrefix("    ") }
        #expect(own.filter { $0.hasPrefix("  trust") }.count == 1, "\(own)")
        for line in lines where line != "  \(PairingText.certificateCommand)" {
            #expect(DisplayWidth.of(line) < width, "\(line)")
            #expect(DisplayText(line).text == line, "\(line)")
        }
        // Each of these lines is a title of this tool, or is indented below it; what a gateway chose is quoted.
        let titles = ["address", "speaks", "in its own words:", "its record", "compare", "openssl", "trust"]
        for line in own { #expect(titles.contains { line.hasPrefix("  \($0)") }, "\(line)") }
        let trust = try #require(lines.lastIndex { $0.hasPrefix("  trust") })
        #expect(lines[trust...].joined().filter(\.isHexDigit).contains(String(repeating: "5f", count: 32)))
        #expect(lines[(trust + 1)...].allSatisfy { $0.hasPrefix("    ") })
        #expect(lines.count <= 24, "it must fit on a screen")
    }

    /// The 17th bot is as visible as the first, as far as there is room; the rest is counted.
    @Test func manyBotsAreShown() throws {
        let lines = PairingText.lines(try Self.offer("Jarvis", bots: 64), width: 80)
        #expect(lines.joined().ranges(of: "“🤖 Jarvis”").count > 16)
        #expect(lines.contains { $0.contains("64 bots") } && lines.contains { $0.contains(" more") })
        let few = PairingText.lines(try Self.offer("Jarvis", bots: 2), width: 80)
        #expect(few.contains("    2 bots       “🤖 Jarvis”, “🤖 Jarvis”"))
    }

    /// The user is told where the digits of the certificate can be compared, and what the advertisement says of them.
    @Test func thePlaceToCompareIsSaid() throws {
        let offer = try Self.offer("Home", bots: 0)
        let leaf = String(repeating: "5f", count: 32)
        let text = { (advertised: Set<String>?) in
            PairingText.lines(offer, advertised: advertised).joined(separator: "\n")
        }
        #expect(
            text(nil).contains(
                "\n  openssl x509 -noout -fingerprint -sha256 -in ~/.openclaw/gateway/tls/gateway-cert.pem\n"
            )
        )
        #expect(!text(nil).contains("its record"))
        #expect(text([leaf]).contains("the same certificate"))
        #expect(text([]).contains("names no certificate"))
        #expect(text([String(repeating: "0", count: 64)]).contains("ANOTHER"))
        #expect(text([leaf, String(repeating: "0", count: 64)]).contains("ANOTHER"))
    }

    /// A gateway that is proved is not to be compared once more: not even if the code that was pasted has named its certificate.
    @Test(arguments: PairingProof.allCases.filter { $0 != .unproved })
    func whatIsProvedIsNotToBeCompared(proof: PairingProof) throws {
        var offer = try Self.offer("Home", bots: 0)
        offer.proof = proof
        let text = PairingText.lines(offer, advertised: []).joined(separator: "\n")
        #expect(!text.contains("openssl") && !text.contains("its record") && !text.contains("compare"), "\(text)")
    }
}
