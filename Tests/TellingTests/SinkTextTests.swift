import GatewayProtocol
import Reports
import TestSupport
import Testing

@testable import Agent

/// Nothing that a gateway is called is a mention, a link, a template or markup for a service, whatever scalars stand beside
/// its marks: each form is read by a small model of what the service reads, code point by code point.
@Suite(.timeLimit(.minutes(5))) struct SinkTextTests {
    private static let tear: Unicode.Scalar = "\u{200B}"

    /// Links, mentions, templates and markup with a scalar within.
    private static func text(_ scalar: Unicode.Scalar) -> String {
        "<\(scalar)!channel|\(scalar)> \(scalar)@everyone http:\(scalar)//x https://\(scalar)x www.\(scalar)x.de \(scalar)a.de "
            + "[\(scalar)x](\(scalar)http://x) {\(scalar){ x }\(scalar)} :\(scalar)x: **\(scalar)b** <b\(scalar)>"
    }

    /// Returns the first scalar for which a form is not what a model allows.
    private static func problem(_ judge: (_ text: String) -> String?) -> String? {
        for (scalar, text) in HostileScalars.texts + HostileScalars.some.map({ ($0, text($0)) }) {
            if let problem = judge(text) { return "U+\(String(scalar.value, radix: 16)): \(problem)" }
        }
        return nil
    }

    /// Returns the link or the mention of an account that a reader of plain text finds.
    private static func link(_ text: [Unicode.Scalar]) -> String? {
        for (index, scalar) in text.enumerated() where index + 1 < text.count {
            let next = text[index + 1]
            if scalar == ":", next == "/" { return "a link" }
            if scalar == "@", next != tear { return "an account" }
            if scalar == ".", next.properties.isAlphabetic { return "a host" }
        }
        return nil
    }

    @Test func plainTextHasNoLinks() {
        let problem = Self.problem { text in
            let found = Array(SinkText.plain(text).unicodeScalars)
            if let link = Self.link(found) { return link }
            return found.filter { $0 != Self.tear } == Array(text.unicodeScalars).filter { $0 != Self.tear }
                ? nil : "other text"
        }
        #expect(problem == nil)
    }

    /// What Slack reads: `<` begins a mention or a link, `&` an entity; a mark of emphasis begins or ends beside a text.
    @Test func slackFindsNothing() {
        let problem = Self.problem { text in
            let found = Array(SinkText.slack(text).unicodeScalars)
            for (index, scalar) in found.enumerated() {
                let (before, next) = (
                    index > 0 ? found[index - 1] : nil, index + 1 < found.count ? found[index + 1] : nil
                )
                switch scalar {
                case "<", ">": return "a mark of a link"
                case "&":
                    let rest = String(String.UnicodeScalarView(found[index...].prefix(5)))
                    guard ["&amp;", "&lt;", "&gt;"].contains(where: { rest.utf8.starts(with: $0.utf8) }) else {
                        return "an entity of its own"
                    }
                    guard !rest.utf8.starts(with: "&gt;".utf8) || before == Self.tear else { return "a quotation" }
                case "*", "_", "~", "`", "#":
                    guard before == Self.tear, next == Self.tear else { return "emphasis" }
                case ":": guard next == nil || next == Self.tear || next == " " else { return "an emoji" }
                default: break
                }
            }
            return Self.link(found)
        }
        #expect(problem == nil)
    }

    /// What Discord reads: a backslash takes its meaning from the mark after it, whatever follows that.
    @Test func discordFindsNothing() {
        let problem = Self.problem { text in
            var shown: [Unicode.Scalar] = []
            var scalars = SinkText.discord(text).unicodeScalars.makeIterator()
            while let scalar = scalars.next() {
                let isMark =
                    (0x21...0x7E).contains(scalar.value) && !scalar.properties.isAlphabetic
                    && scalar.properties.numericType == nil
                guard isMark else {
                    shown.append(scalar)
                    continue
                }
                guard scalar == "\\", let next = scalars.next(), next.isASCII else { return "a mark that acts" }
                shown.append(next)
            }
            return shown == Array(text.unicodeScalars) ? nil : "other text"
        }
        #expect(problem == nil)
    }

    /// What templates, Markdown and HTML read: none of their marks is there at all.
    @Test func homeAssistantFindsNothing() {
        let problem = Self.problem { text in
            let found = Array(SinkText.homeAssistant(text).unicodeScalars)
            if let mark = found.first(where: { "{}<>[]*~|\\#`".unicodeScalars.contains($0) }) { return "\(mark)" }
            for (index, scalar) in found.enumerated() where scalar == "_" {
                let isWithin = [index - 1, index + 1].allSatisfy {
                    found.indices.contains($0) && found[$0].isASCII
                        && (found[$0].properties.isAlphabetic || found[$0].properties.numericType != nil)
                }
                guard isWithin else { return "emphasis" }
            }
            guard let first = found.first, first == Self.tear || first.properties.isAlphabetic else { return "a list" }
            return Self.link(found)
        }
        #expect(problem == nil)
        #expect(SinkText.homeAssistant("living_room-2") == "living_room-2")
        #expect(SinkText.homeAssistant("- x").unicodeScalars.first == Self.tear)
    }

    /// The forms give all of their texts this way, and say the name itself where it is harmless.
    @Test(arguments: [
        "<!channel>", "<\u{301}!channel>", "{{ states }}", "{\u{301}{ states }}", "@everyone", "http://x",
    ])
    func theFormsAreMadeOfThese(name: String) throws {
        var notice = Notice(
            .gone,
            [Notice.Subject(key: "k", name: name), Notice.Subject(key: "l", name: name)],
            at: .now
        )
        notice.reason = "connection refused"
        let message = WaitingMessage(notice)
        func body(_ form: Webhook.Form) throws -> JSONValue {
            try JSONValue(parsing: WebhookBody(message, form, target: "/topic").bytes)
        }
        #expect(
            try body(.slack)["text"]?.string == "*\(SinkText.slack(message.title))*\n\(SinkText.slack(message.text))"
        )
        let discord = "**\(SinkText.discord(message.title))**\n\(SinkText.discord(message.text))"
        #expect(try body(.discord)["content"]?.string == discord)
        #expect(try body(.homeAssistant)["title"]?.string == SinkText.homeAssistant(message.title))
        #expect(try body(.homeAssistant)["message"]?.string == SinkText.homeAssistant(message.text))
        #expect(try body(.ntfy)["title"]?.string == SinkText.plain(message.title))
        #expect(try body(.ntfy)["message"]?.string == SinkText.plain(message.text))
    }
}
