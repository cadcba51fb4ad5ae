import ArgumentParser
import GatewayProtocol
import Reports
import Testing

@testable import Commands
@testable import Console
@testable import Pairing

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

    /// A gateway to which the user has given a name is still known by the one that it had, and by its own.
    @Test(arguments: ["Studio", "Attic", "stud", "att", "Loft", "lo"])
    func theNameOfBeforeStillMeansIt(text: String) throws {
        var pairing = try Pairings.pairing("Attic", id: "b")
        (pairing.formerName, pairing.ownName) = ("Studio", "Loft")
        #expect(try PairedName(text).pairing(among: [try Pairings.home()[0], pairing]).id == pairing.id)
    }

    /// What keyboards do not have is found by what they have, and however it is composed.
    @Test(arguments: [
        ("Paul’s “Mac” – Büro", "paul's \"mac\" - bu\u{308}ro"), ("Bu\u{308}ro", "Büro"),
        ("Home\u{A0}Gateway", "Home Gateway"),
        ("Home Gateway", "Home\u{202F}Gateway"),
    ])
    func marksAreTypedAsKeyboardsHaveThem(name: String, typed: String) throws {
        let pairing = try Pairings.pairing(name, id: "c")
        #expect(try PairedName(typed).pairing(among: [pairing]).id == pairing.id)
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

    /// A mistyped name leads to a question, and never to the thing itself.
    @Test(arguments: [
        ("Home Gatway", "gateway “Home Gateway” (aaaa"), ("HOMEGATEWAYS", "gateway “Home Gateway” (aaaa"),
        ("firday", "bot “Friday” (bot-2)"), ("Kitchen", nil), ("10.0.0.4", nil),
    ])
    func aMistypedNameIsAskedFor(text: String, meant: String?) throws {
        let failure = #expect(throws: CommandFailure.self) { try PairedName(text).subject(among: Pairings.home()) }
        let message = try #require(failure?.message)
        #expect(message.contains("Did you mean \(meant ?? "")") == (meant != nil), "\(message)")
        #expect(failure?.status == .nothingFound)
        let other = #expect(throws: CommandFailure.self) { try PairedName(text).pairing(among: Pairings.home()) }
        #expect(other?.message == message)
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
        let failure = #expect(throws: CommandFailure.self) { try PairedName("Friday").gateway(among: pairings) }
        #expect(failure?.status == .nothingFound && failure?.message.contains("Friday") == true)
        #expect(failure?.message.hasSuffix(#"named: "Home Gateway"."#) == true, "\(failure?.message ?? "")")
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

    /// Each word that completes a name means one thing: names that several have are offered by identifier.
    @Test func aShellIsOfferedWordsThatMeanOneThing() throws {
        let pairings = try Pairings.home()
        let bots = pairings.flatMap { pairing in pairing.bots.map { (pairing: pairing, bot: $0) } }
        let words = NameCompletion.all(pairings, bots: bots).map(\.word)
        #expect(words == ["aaaaaaaa", "bbbbbbbb", "Jarvis", "Friday", "main", "x"])
        #expect(NameCompletion.all(pairings, bots: []).map(\.word) == ["aaaaaaaa", "Studio"])
        for word in words { #expect(throws: Never.self) { try PairedName(word).subject(among: pairings) } }
    }

    /// A gateway and its bot are named together, by name or identifier.
    @Test(arguments: [
        "Home Gateway/Jarvis", "homegateway/JARVIS", "aaaaaaaa/bot-1", "10.0.0.2:3000/bot-1", "fp-home/bot-1",
        "Home Gateway/Jar", "aaaaaaaaaa/Jarvis", "Home Gateway/bot-1",
    ])
    func aBotIsNamedWithItsGateway(text: String) throws {
        let subject = try PairedName(text).subject(among: Pairings.home())
        #expect(subject == .bot(try Pairings.home()[0].id, try #require(BotID("bot-1"))))
    }

    /// Names that differ in letter case or spaces are the same name: an impostor that spells a name a little otherwise
    /// is not told from it, whichever spelling is typed.
    @Test(arguments: ["Studio", "studio", "Stu dio", " STUDIO ", "Studio\u{A0}"])
    func spellingTellsNothingApart(text: String) throws {
        let pairings = [
            try Pairings.pairing("Studio", id: "a"), try Pairings.pairing("studio ", id: "b", at: "10.0.0.3"),
        ]
        let failure = #expect(throws: CommandFailure.self) { try PairedName(text).subject(among: pairings) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.contains("aaaaaaaa") == true && failure?.message.contains("bbbbbbbb") == true)
    }

    /// An identifier never loses to a name: a gateway that calls itself by the identifier or the address of another one,
    /// as it is shown, is not meant by it.
    @Test func anIdentifierNeverLosesToAName() throws {
        let home = try Pairings.home()
        for text in [
            "aaaaaaaa", "aaaaaaaaaaaa", home[0].id.description, home[0].gatewayID, "10.0.0.2:3000", "10.0.0.2",
        ] {
            let evil = try Pairings.pairing(
                text,
                id: "c",
                at: "10.0.0.9",
                bots: [(text, text), ("x", "\(text)/bot-1")]
            )
            #expect(try PairedName(text).subject(among: home + [evil]) == .gateway(home[0].id))
            let bot = try PairedName("\(text)/bot-1").subject(among: home + [evil])
            #expect(bot == .bot(home[0].id, try #require(BotID("bot-1"))))
        }
        // What gateways tell of themselves is no such identifier: neither wins.
        let twin = try Pairings.pairing("fp-home", id: "c", at: "10.0.0.9", bots: [("Jarvis", "x")])
        for text in ["fp-home", "Jarvis"] {
            let failure = #expect(throws: CommandFailure.self) { try PairedName(text).subject(among: home + [twin]) }
            #expect(failure?.status == .usage)
        }
    }

    /// A bot is found by the identifier by which its gateway tells it apart, whatever its other bots are called.
    @Test func anIdentifierOfABotNeverLosesToAName() throws {
        let bots = try [("a", "b"), ("b", "a")].map { (id: try #require(BotID($0.0)), name: $0.1) }
        #expect(try BotChoice("a,b").resolved(among: bots) == bots.map(\.id))
        let alike = try [("a", "Jarvis"), ("b", "jarvis ")].map { (id: try #require(BotID($0.0)), name: $0.1) }
        let failure = #expect(throws: CommandFailure.self) { try BotChoice("Jarvis").resolved(among: alike) }
        #expect(failure?.status == .usage)
    }

    /// The failure for an ambiguous name says for each candidate what to type, and that means it.
    @Test func theAdviceForAnAmbiguousNameWorks() throws {
        let pairings = try Pairings.home()
        let failure = #expect(throws: CommandFailure.self) { try PairedName("Studio").subject(among: pairings) }
        let message = try #require(failure?.message)
        #expect(message.contains("(bbbbbbbb) → bbbbbbbb;") && message.contains("→ 'bbbbbbbb/x'"))
        #expect(try PairedName("bbbbbbbb").subject(among: pairings) == .gateway(pairings[1].id))
        #expect(try PairedName("bbbbbbbb/x").subject(among: pairings) == .bot(pairings[1].id, #require(BotID("x"))))
    }

    /// bash adds a slash to a word that is also the name of a folder.
    @Test func aSlashAtTheEndIsIgnored() throws {
        let pairings = try Pairings.home()
        #expect(try PairedName("Home Gateway/").subject(among: pairings) == .gateway(pairings[0].id))
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
}
