import ArgumentParser
import DNSSD
import GatewayProtocol
import Scanning
import Testing

@testable import Commands
@testable import Console

@Suite struct OptionTests {
    @Test(arguments: [
        ("3", 3_000), ("1.5", 1_500), ("3s", 3_000), ("500ms", 500), ("0.1", 100), ("3600", 3_600_000), ("90s", 90_000),
        ("1m", 60_000), ("1h", 3_600_000), ("1m30s", 90_000),
    ])
    func timesAreRead(text: String, milliseconds: Int) throws {
        #expect(try TimeLimit(text).duration == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "x", "-1", "0", "0.09", "3601", "nan", "inf", "0x10", "1e3", "2h", "3y", "s", "99ms", "1m30", "30 1m",
        "1.2.3", "٣",
    ])
    func otherTimesAreRefused(text: String) {
        #expect(throws: ArgumentProblem.self) { try TimeLimit(text) }
    }

    /// A time is called so in the help of each verb, and can be given as people write it.
    @Test func timesAreCalledTimes() {
        for verb in RootCommand.configuration.subcommands {
            let help = RootCommand.helpMessage(for: verb, columns: 200)
            #expect(!help.contains("<seconds>") && help.contains("<time>") == help.contains("90s"), "\(verb)")
        }
    }

    /// People know no leaf; whoever has typed it so far can go on.
    @Test(arguments: ["--certificate", "--leaf"]) func digitsAreThoseOfACertificate(option: String) throws {
        let digits = String(repeating: "5f", count: 32)
        #expect(throws: Never.self) { try RootCommand.parseAsRoot(["trust", "Home", option, digits]) }
        #expect(throws: Never.self) { try RootCommand.parseAsRoot(["pair", "Home", option, digits]) }
    }

    /// The same words as for all other times, with their units.
    @Test(
        arguments: [
            ("90s", 90_000), ("1m", 60_000), ("2h", 7_200_000), ("7d", 604_800_000), ("2w", 1_209_600_000),
            ("1h30m", 5_400_000), ("", nil), ("5", nil), ("91d", nil), ("0h", nil), ("h", nil), ("1e9d", nil),
        ] as [(String, Int?)]
    )
    func longTimesAreRead(text: String, milliseconds: Int?) {
        #expect(LongTime(argument: text)?.milliseconds == milliseconds)
    }

    @Test func scanHasDefaults() throws {
        let command = try ScanCommand.parse([])
        #expect(command.timeout.description == "3")
        #expect(command.format == .table)
        #expect(command.type.types.map(\.description) == ServiceType.gatewayTypes.map(\.description))
        #expect(command.interface.interfaces.isEmpty)
        #expect(command.limit.maximum == 16_384)
    }

    @Test func typesReplaceTheDefaults() throws {
        let command = try WatchCommand.parse(["--type", "_a._tcp", "--type", "_b._udp,_x", "--format", "ndjson"])
        #expect(command.type.types.map(\.description) == ["_a._tcp", "_b._udp,_x"])
        #expect(command.format == .ndjson)
    }

    @Test(arguments: [
        ["scan", "--type", "foo"], ["scan", "--timeout", "x"], ["scan", "--interface", "no-such-one"],
        ["watch", "--format", "json"], ["advertise"], ["advertise", "--port", "70000"], ["nothing"],
        ["advertise", "--port", "1", "--bots=-1"], ["advertise", "--port", "1", "--txt", "=x"],
        ["advertise", "--port", "1", "--fp", String(repeating: "x", count: 129)],
        ["scan", "--gateway", "nonsense"], ["scan", "--no-probe", "--gateway", "10.0.0.1:1"],
        ["scan", "--format", "avahi", "--gateway", "10.0.0.1:1"], ["scan", "--sweep", "10.0.0.0/8"],
        ["scan", "--sweep=10.0.0.0/8"], ["scan", "--sweep", "eth0"],
        ["scan", "--no-probe", "--this-host"], ["scan", "--no-probe", "--tailnet"], ["scan", "--no-probe", "--sweep"],
        ["scan", "--format", "openclaw", "--sweep"],
        ["watch", "--no-probe", "--record", "f"], ["watch", "--speed", "2"],
        ["watch", "--replay", "f", "--speed", "0"],
        ["watch", "--replay", "f", "--record", "g"], ["watch", "--replay", "f", "--type", "_a._tcp"],
        ["watch", "--replay", "f", "--gateway", "10.0.0.1:1"], ["watch", "--replay", "f", "--no-probe"],
        ["scan", "--max-services", "0"], ["watch", "--max-services", "x"],
        ["watch", "--replay", "f", "--max-services", "9"],
    ])
    func mistakesAreUsageErrors(arguments: [String]) {
        let error = #expect(throws: (any Error).self) { try RootCommand.parseAsRoot(arguments) }
        #expect(error.map { RootCommand.exitCode(for: $0) } == .usage)
    }

    /// Places that nobody advertises are looked for on request alone, by this command: an agent has them by its settings. A look
    /// around is of this host's own networks, or of one that follows.
    @Test func placesAreLookedForOnRequest() throws {
        let usual = try ScanCommand.parse([])
        #expect(usual.isUsual && usual.places.given == nil)
        for option in ["--this-host", "--tailnet", "--sweep"] {
            let command = try ScanCommand.parse([option, "--timeout", "5"])
            #expect(command.places.given == option && !command.places.isUsual)
        }
        #expect(try ScanCommand.parse(["--sweep", "--timeout", "5"]).places.sweep == .own)
        #expect(try ScanCommand.parse(["--sweep", "10.0.0.7/24"]).places.sweep?.description == "10.0.0.0/24")
    }

    /// A password that was typed by mistake is left out of error messages, whether the address has a scheme or not.
    @Test(arguments: [
        ["probe", "me:hunter2@studio:18789"], ["scan", "--gateway", "me:hunter2@studio:18789"],
        ["me:hunter2@studio:18789"], ["probe", "ws://me:hun/hunter2@studio:18789"],
        ["scan", "--gateway", "ws://me:my hunter2@studio:18789"], ["scan", "--gateway=me:my, hunter2@studio:18789"],
        ["watch", "--gateway", "me:hunter2,my hunter2@studio:18789"],
    ])
    func aSecretIsNotRepeated(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try RootCommand.parseAsRoot(arguments) }
        let message = CommandLineArguments(arguments, for: RootCommand.self).problem(error)
        #expect(message.contains("…@studio:18789"), "\(message)")
        #expect(!message.contains("hunter2"), "\(message)")
    }

    /// A verb is parsed without a question for completion scripts; whatever is none, or has a fault, by the program itself.
    @Test func verbsAreParsedOnTheShortWay() throws {
        func parsed(_ arguments: [String]) throws -> any ParsableCommand {
            try CommandLineTool.parse(arguments, RootCommand.self, verbs: VerbsCommand.self)
        }
        let verbs = [
            ["scan"], ["scan", "--timeout", "3"], ["agent"], ["agent", "status"], ["alias", "Home", "Attic"],
        ]
        for arguments in verbs {
            let short = try VerbsCommand.parseAsRoot(arguments)
            let long = try RootCommand.parseAsRoot(arguments)
            #expect(type(of: short) == type(of: long) && "\(short)" == "\(long)")
        }
        for arguments in [[], ["--help"], ["help"], ["help", "scan"], ["scan", "--help"], ["cloud"]] {
            #expect("\(try parsed(arguments))" == "\(try RootCommand.parseAsRoot(arguments))")
        }
        let others = [["scna"], ["scan", "--nothing"], ["--version"], ["--generate-completion-script", "zsh"]]
        for arguments in others {
            let error = try #require(throws: (any Error).self) { try parsed(arguments) }
            let other = try #require(throws: (any Error).self) { try RootCommand.parseAsRoot(arguments) }
            #expect(RootCommand.fullMessage(for: error) == RootCommand.fullMessage(for: other))
        }
    }

    /// Each verb that takes a name is known, with the number of its further arguments: by them its user is advised to quote a
    /// name of several words.
    @Test func verbsWithANameAreKnown() async throws {
        var known: [String: Int] = [:]
        for verb in try await DumpedCommand.all() where verb.words.count == 1 {
            guard let first = verb.arguments.first, !first.isRepeating,
                ["name", "gateway", "address"].contains(first.name)
            else { continue }
            known[verb.words[0]] = verb.arguments.count - 1
        }
        #expect(known == UnquotedName.verbsWithName)
    }

    @Test func unknownInterfaceIsAnsweredWithThoseThatAre() throws {
        let error = try #require(throws: (any Error).self) { try ScanCommand.parse(["--interface", "no-such-one"]) }
        let message = ScanCommand.message(for: error)
        #expect(message.hasPrefix("There is no interface “no-such-one”. This host has: "))
    }
}
