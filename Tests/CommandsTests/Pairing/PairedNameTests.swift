import ArgumentParser
import GatewayProtocol
import PairingStore
import Testing

@testable import Commands

/// A name on the command line means exactly one thing; otherwise the user is shown what it can mean. Another thing than
/// the one that was meant is never used.
@Suite struct PairedNameTests {
    @Test(arguments: [
        ("Home Gateway", "a"), ("home gateway", "a"), ("Home", "a"), ("fp-home", "a"), ("fingerprint:fp-home", "a"),
        ("10.0.0.2", "a"), ("10.0.0.2:3000", "a"), ("aaaa", "a"), (String(repeating: "a", count: 32), "a"),
        ("10.0.0.3", "b"), ("Friday", "a/bot-2"), ("bot-2", "a/bot-2"), ("Jarvis", "a/bot-1"), ("fri", "a/bot-2"),
        ("Jarvis Two", "b/main"), ("jarvis t", "b/main"), ("x", "b/x"),
    ])
    func aNameMeansOneThing(text: String, meant: String) throws {
        let subject = try PairedName(text).subject(among: Pairings.home())
        let found =
            switch subject {
            case .gateway(let id): "\(id.description.prefix(1))"
            case .bot(let id, let bot): "\(id.description.prefix(1))/\(bot.text)"
            }
        #expect(found == meant)
    }

    /// A name that can mean several things is refused with a list of them.
    @Test(arguments: ["Stud", "Studio", "jarvi", "10.0.0.", "bot-"])
    func ambiguousNamesAreRefused(text: String) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try PairedName(text).subject(among: Pairings.home())
        }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("can be") == true)
    }

    @Test(arguments: ["Kitchen", "ome", "10.0.0.4", "Home Gateway2"])
    func whatIsNotThereIsNotFound(text: String) throws {
        let failure = #expect(throws: CommandFailure.self) {
            try PairedName(text).subject(among: Pairings.home())
        }
        #expect(failure?.status == .nothingFound)
    }

    /// If a gateway and one of its bots have the same name, the name is unambiguous for verbs that act on the gateway
    /// anyway.
    @Test func aBotOfTheSameGatewayIsNoAmbiguity() throws {
        let pairings = try Pairings.home()
        #expect(try PairedName("Studio").pairing(among: pairings).name == "Studio")
        #expect(try PairedName("Studio").gateway(among: pairings).name == "Studio")
        #expect(try PairedName("Studio").bot(among: pairings).1.id.text == "x")
        #expect(try PairedName("Friday").pairing(among: pairings).name == "Home Gateway")
        #expect(throws: CommandFailure.self) { try PairedName("Friday").gateway(among: pairings) }
    }

    /// Candidates of the same name are distinguished by their identifiers, and their names are cleaned: a name from the
    /// network cannot move the cursor.
    @Test func candidatesAreCleanedAndToldApart() throws {
        let evil = "Home\u{1B}[2J"
        let pairings = [try Pairings.pairing(evil, id: "a"), try Pairings.pairing(evil, id: "b")]
        let failure = #expect(throws: CommandFailure.self) {
            try PairedName("Home").subject(among: pairings)
        }
        #expect(failure?.message.contains("\u{1B}") == false)
        #expect(failure?.message.contains("aaaaaaaa") == true)
        #expect(failure?.message.contains("bbbbbbbb") == true)
        // The name can be typed as it was shown, with its replacement characters.
        let typed = try PairedName("Home\u{FFFD}[2J").subject(among: [pairings[0]])
        #expect(typed == .gateway(pairings[0].id))
    }

    /// Completions contain each name once, and no archived bot.
    @Test func aShellIsOfferedNamesOnce() throws {
        var pairings = try Pairings.home()
        pairings[0].bots[1].isArchived = true
        #expect(PairedName.completions(pairings) == ["Home Gateway", "Jarvis", "Studio", "Jarvis Two"])
    }

    @Test func botsAreChosenByNameOrIdentifier() throws {
        let bots = try ["bot-1", "bot-2"].map {
            (id: try #require(BotID($0)), name: $0 == "bot-1" ? "Jarvis" : "Friday")
        }
        #expect(try BotChoice("all").resolved(among: bots) == nil)
        #expect(try BotChoice("Friday, bot-1,friday").resolved(among: bots) == [bots[1].id, bots[0].id])
        #expect(throws: ArgumentProblem.self) { try BotChoice("a,,b") }
        let failure = #expect(throws: CommandFailure.self) { try BotChoice("Edith").resolved(among: bots) }
        #expect(failure?.message.contains("Jarvis") == true)
    }

    /// A name from the network is quoted, so that it stays one word when it is copied into a shell.
    @Test(arguments: [
        ("Home Gateway", "\"Home Gateway\""), ("$(reboot)", "'$(reboot)'"), ("it's", "'it'\\''s'"), ("a`b`", "'a`b`'"),
    ])
    func wordsForAShellAreQuoted(name: String, word: String) {
        #expect(ShellWord(name).description == word)
    }
}
