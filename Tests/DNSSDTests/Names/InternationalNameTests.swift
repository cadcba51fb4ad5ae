import TestSupport
import Testing

@testable import DNSSD

/// Protects that a domain is asked for as its server has it, and read as its owner writes it.
@Suite struct InternationalNameTests {
    /// The pairs are those of RFC 3492 §7.1, and of names in use.
    @Test(arguments: [
        ("bücher.example", "xn--bcher-kva.example"), ("Küche.BÜCHER.example", "xn--kche-0ra.xn--bcher-kva.example"),
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"), ("münchen", "xn--mnchen-3ya"),
        ("例え", "xn--r8jz45g"),
        ("kitchen.example.org", "kitchen.example.org"),
    ])
    func aNameIsAskedForAsServersHaveIt(typed: String, name: String) throws {
        let domain = try DomainName(typed: typed)
        #expect(domain.escaped == name)
        #expect(domain.shown == (typed == name ? name : "\(typed.lowercased()) (\(name))"))
    }

    /// Letters of other scripts look like those of ASCII: the name as DNS has it is always beside them.
    @Test func whatLooksAlikeIsToldApart() throws {
        #expect(try DomainName(escaped: "xn--80ak6aa92e.com").shown == "аррӏе.com (xn--80ak6aa92e.com)")
    }

    /// Whatever stands after the prefix is shown as it came, unless it is the code of letters.
    @Test(arguments: [
        "xn--", "xn--a", "xn--a-", "xn--99999999999999", "xn--bcher-kva-", "xn--\\000-kva",
    ])
    func whatIsNoCodeStays(name: String) throws {
        let domain = try DomainName(escaped: "\(name).example")
        #expect(!domain.shown.contains(" "))
    }

    @Test func anyBytesAreReadWithoutHarm() {
        var random = SeededGenerator(seed: 45)
        for _ in 0..<TestCases.count(20_000) {
            let code = String(
                (0..<random.draw(59)).map { _ in Character(Unicode.Scalar(UInt8(0x2D + random.draw(78)))) }
            )
            if let text = Punycode.decode(code), let again = Punycode.encode(text) {
                #expect(Punycode.decode(again) == text, "\(code)")
            }
        }
    }
}
