import DNSSD
import GatewayProtocol
import GatewaySamples
import Reports
import Scanning
import TestSupport
import Testing

@testable import Commands
@testable import Console
@testable import Pairing

/// The commands that verbs print, as people paste them: whatever gateways and bots are called, each is one call of clawradar
/// with the words that were meant, and nothing else runs.
@Suite(.timeLimit(.minutes(5))) struct PrintedCommandTests {
    private static let harmless = ["Home Gateway", "Kitchen (2)", "Living_room #3, upstairs", "c++"]

    /// A printed command, and the arguments that it is meant to have.
    private struct Printed: Hashable {
        let line: String
        let arguments: [String]
    }

    /// Returns what follows a text in a line.
    private static func command(_ line: String?, after text: String) throws -> String {
        let line = try #require(line)
        return String(line[try #require(line.firstRange(of: text)?.upperBound)...])
    }

    private static func row(_ name: String, bot: String = "bot-1") throws -> Gateway {
        let bots = [BotDescription(id: try #require(BotID(bot)), name: "Jarvis")]
        let map = Rows.map([
            .serviceFound(try Fixture.service()), .probed(Rows.endpoint(), Rows.gateway(name: name, bots: bots)),
            .liveness(Rows.endpoint(), .answering, roundTrip: .milliseconds(1)),
        ])
        return try #require(map.gateways.first)
    }

    /// Returns the commands that lead to a gateway of a name.
    private static func printed(_ name: String) throws -> [Printed] {
        let next = try command(NextStep.line([try row(name)]), after: "next: ")
        let pairing = try Pairings.pairing(name, id: "a", bots: [("bot-1", name), (name, name)])
        let session = ShownSession(
            id: "x",
            pairing: "\(pairing.id)",
            gateway: pairing.gatewayID,
            name: name,
            bots: [],
            state: .disconnected,
            reason: name,
            remedy: .connect,
            since: .now
        )
        let asked = try command(session.text, after: "when asked: ")
        let isWord = ShellWord(name: name) != nil
        let (place, id) = (isWord ? name : "10.0.0.2:3000", isWord ? name : "aaaaaaaa")
        return [
            Printed(line: next, arguments: ["pair", place]),
            Printed(line: "clawradar connect \(pairing.word)", arguments: ["connect", id]),
            Printed(line: asked, arguments: ["connect", id]),
        ]
    }

    @Test func namesOfGatewaysRunNothing() throws {
        let hostile = try HostileScalars.names.flatMap { try Self.printed($0) }
        let printed = try Set(hostile + Self.harmless.flatMap { try Self.printed($0) })
        let lines = printed.sorted { $0.line < $1.line }
        #expect(lines.count >= 3 + 3 * Self.harmless.count - 1)
        #expect(try PastedLines.problem(lines.map(\.line), lines.map(\.arguments)) == nil)
    }

    /// What stands behind the arrow in the message about a name that several things have means the one thing before it.
    @Test func theWaysOutOfAnAmbiguityRunNothing() throws {
        var printed: Set<Printed> = []
        for text in HostileScalars.names + Self.harmless + ["all", "a,b", " x", "-x", "x", "bot-1"] {
            guard let bot = BotID(text) else { continue }
            if let word = BotChoice.word(for: bot) {
                printed.insert(Printed(line: "clawradar \(word)", arguments: [text]))
                #expect(try BotChoice(text).names == [text])
            }
            let things = PairedName.bots([try Pairings.pairing("Home", id: "a", bots: [(text, text)])])
            if let word = things.first?.word {
                printed.insert(Printed(line: "clawradar \(word)", arguments: ["aaaaaaaa/\(text)"]))
            }
            for thing in PairingSubject.nameables([try Self.row(text, bot: text)]) {
                guard let word = thing.word else { continue }
                let bots = thing.subject.bot == nil ? [] : ["--bots=\(text)"]
                printed.insert(Printed(line: "clawradar \(word)", arguments: ["10.0.0.2:3000"] + bots))
            }
        }
        #expect(BotChoice.word(for: try #require(BotID("all"))) == nil)
        let lines = printed.sorted { $0.line < $1.line }
        #expect(lines.count > 8)
        #expect(try PastedLines.problem(lines.map(\.line), lines.map(\.arguments)) == nil)
    }

    /// A name that `pair` would take for something else than a name, or that leads to another gateway, is not printed.
    @Test(arguments: [
        "10.0.0.9:3000", "ws://10.0.0.9:1", "aaaaaaaa", "fe80::1", "x=10.0.0.9:1", "[::1]",
    ])
    func aNameThatMeansSomethingElseIsNotPrinted(name: String) throws {
        #expect(NextStep.line([try Self.row(name)]) == "next: clawradar pair \"10.0.0.2:3000\"")
    }

    /// A name cannot end its quotation marks, and so it cannot look like the advice beside it.
    @Test(arguments: ["”", "”\u{301}", "`", "`\u{301}", "“\u{20E3}", "‟", "„"])
    func aNameStaysBetweenItsQuotationMarks(mark: String) throws {
        let name = "Home\(mark) → $(touch canary); gateway “Home"
        let pairings = [try Pairings.pairing(name, id: "a"), try Pairings.pairing(name, id: "b")]
        let failure = #expect(throws: CommandFailure.self) { try PairedName(name).subject(among: pairings) }
        let message = try #require(failure?.message).unicodeScalars
        #expect(message.count { $0 == "“" } == 3 && message.count { $0 == "”" } == 3 && !message.contains("`"))
        #expect(PromptLines.quoted(name, in: 200).unicodeScalars.count { $0 == "”" } == 1)
        #expect(DeviceRequest.shown(name).unicodeScalars.count { $0 == "”" } == 1)
    }

    /// A recording can have been made up: what it calls the identifier of a pairing is none.
    @Test func aMadeUpIdentifierIsNotPrinted() {
        let remedies: [ShownSession.Remedy] = [
            .connect, .acceptLeaf, .acceptAddress, .acceptNode, .acceptTunnel, .pairAnew, .diagnose,
        ]
        for remedy in remedies {
            let session = ShownSession(
                id: "x",
                pairing: "$(touch canary)",
                gateway: "x",
                name: "'",
                bots: [],
                state: .moved,
                reason: "it has moved",
                remedy: remedy,
                since: .now
            )
            #expect(session.text?.contains("canary") == false)
        }
    }
}
