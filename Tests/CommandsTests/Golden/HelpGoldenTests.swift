import ArgumentParser
import Foundation
import Testing

@testable import Commands
@testable import Console
@testable import reference_gateway

/// The help texts of the tool, and its messages about invalid command lines.
@Suite(.timeLimit(.minutes(1))) struct HelpGoldenTests {
    @Test func help() async throws {
        let verbs = try await DumpedCommand.all().filter { $0.isShown && $0.words != ["help"] }
        let commandLines = [["--help"], ["help", "scan"]] + verbs.map { $0.words + ["--help"] }
        var text = ""
        for arguments in commandLines {
            text += "$ clawradar \(arguments.joined(separator: " "))\n\(try await Tool.run(arguments).transcript)"
        }
        for arguments in [["--help"]]
            + ["devices", "approve", "reject", "revoke", "code", "readiness"].map({ [$0, "--help"] })
        {
            let result = try await Tool.run(arguments, of: Tool.gateway)
            text += "$ reference-gateway \(arguments.joined(separator: " "))\n\(result.transcript)"
        }
        try Golden.help.expect(text)
    }

    /// The verbs are listed in groups, each of them once; and the line about further help stands below them.
    @Test func verbsAreInGroups() {
        let help = RootCommand.helpMessage(columns: 80)
        let groups = ["LOOK", "PAIR", "STAY CONNECTED", "BE TOLD", "REPAIR"]
        let places = groups.map { help.range(of: "\n\($0) SUBCOMMANDS:\n")?.lowerBound }
        #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self).sorted() == places.compactMap(\.self))
        let verbs = RootCommand.configuration.subcommands.map { $0.configuration }.filter { $0.shouldDisplay }
            .compactMap { $0.commandName }
        for verb in verbs {
            #expect(help.split(separator: "\n").count { $0.hasPrefix("  \(verb) ") } == 1, "\(verb)")
        }
        #expect(help.contains("help <subcommand>"))
    }

    @Test func withoutAVerbItIsTheHelp() async throws {
        #expect(try await Tool.run([]).transcript == Tool.run(["--help"]).transcript)
    }

    /// The completions of every shell contain the values of options, such as service types and dialects.
    @Test(arguments: [CompletionShell.bash, .zsh, .fish])
    func completionsKnowTheWords(shell: CompletionShell) throws {
        let script = RootCommand.completionScript(for: shell)
        #expect(script.contains("_openclaw-gw._tcp"), "\(shell.rawValue)")
        for verb in RootCommand.configuration.subcommands where verb.configuration.shouldDisplay {
            let name = try #require(verb.configuration.commandName)
            #expect(script.contains(name), "\(name) is missing for \(shell.rawValue)")
        }
        let ofGateway = GatewayCommand.completionScript(for: shell)
        for word in ["_openclaw-gw._tcp", "openagents", "wrong-fingerprint", "approve"] {
            #expect(ofGateway.contains(word), "\(word) is missing for \(shell.rawValue)")
        }
    }

    /// The messages leave out the names of this host's interfaces, which differ from host to host.
    @Test func usageErrors() throws {
        let commandLines = [
            ["nothing"], ["scna"], ["wacth"], ["help", "scna"], ["--nothing"],

            ["scan", "--timeout", "x"], ["scan", "--timeout", "0"], ["scan", "--timeout", "3601"],
            ["scan", "--timeout"],
            ["scan", "--timeout", "-1"], ["scan", "--format", "xml"], ["scan", "--type", "foo"],
            ["scan", "--type", "_a._tcp,"], ["scan", "--interface", "no-such-one"], ["scan", "--max-services", "0"],
            ["scan", "--max-services", "x"], ["scan", "--backend", "windows"], ["scan", "extra"],
            ["scan", "--gateway", "nonsense"], ["scan", "--gateway", "host:99999"],
            ["scan", "--gateway", "ftp://host"],
            ["scan", "--gateway", "ws://user:secret@host:1"],
            ["scan", "--no-probe", "--gateway", "10.0.0.1:1"],
            ["scan", "--format", "avahi", "--gateway", "10.0.0.1:1"],
            ["scan", "--format", "openclaw", "--gateway", "10.0.0.1:1"],

            ["watch", "--format", "json"], ["watch", "--no-probe", "--record", "f"], ["watch", "--record", "-"],
            ["watch", "--speed", "2"],
            ["watch", "--replay", "f", "--speed", "0"], ["watch", "--replay", "f", "--record", "g"],
            ["watch", "--replay", "f", "--no-probe"], ["watch", "--replay", "f", "--gateway", "10.0.0.1:1"],
            ["watch", "--replay", "f", "--type", "_a._tcp"], ["watch", "--replay", "f", "--interface", "lo"],
            ["watch", "--replay", "f", "--max-services", "9"],

            ["probe"], ["probe", "1.2"], ["probe", "10.0.0.1:0"],
            ["probe", "10.0.0.1:99999"], ["probe", "ftp://10.0.0.1"], ["probe", "ws://user:secret@10.0.0.1"],
            ["probe", "10.0.0.1:1", "--format", "ndjson"], ["probe", "10.0.0.1:1", "--timeout", "0"],
            ["probe", "10.0.0.1:1", "10.0.0.2:2"],

            ["doctor"], ["doctor", "10.0.0.1:0"], ["doctor", "Home", "--timeout", "0"],

            ["accent", "Friday"], ["accent", "Nobody", "blue"],

            ["advertise"], ["advertise", "--port", "70000"], ["advertise", "--port", "1", "--force"],
            ["advertise", "--port", "1", "--bots", "10000"], ["advertise", "--port", "1", "--bots=-1"],
            ["advertise", "--port", "1", "--ver", "x"], ["advertise", "--port", "1", "--txt", "=x"],
            ["advertise", "--port", "1", "--txt", ""], ["advertise", "--port", "1", "--txt", "fp=x"],
            ["advertise", "--port", "1", "--txt", "a=1", "--txt", "A=2"], ["advertise", "--port", "1", "--txt", "ä=1"],
            ["advertise", "--port", "1", "--txt", "a=\(String(repeating: "x", count: 254))"],
            ["advertise", "--port", "1", "--fp", String(repeating: "x", count: 129)],
            ["advertise", "--gateway", "127.0.0.1:1", "--port", "1"],
            ["advertise", "--gateway", "127.0.0.1:1", "--fp", "x"],
            ["advertise", "--gateway", "ws://127.0.0.1:1/path"],
            ["advertise", "--gateway", "127.0.0.1:1", "--name", ""],

            ["pair"], ["pair", "10.0.0.1:0"], ["pair", "optaplus://pair?host=10.0.0.1&port=0&token=t0ken"],
            ["pair", "oc-pair://?"], ["pair", "https://gateway.example/j/"],
            ["pair", "http://gateway.example/j/t0ken"],
            ["pair", "Home", "--clipboard"], ["pair", "-", "--token-file", "-"],
            ["pair", "Home", "--bots", ","], ["pair", "Home", "--trust", "world"],
            ["pair", "Home", "--remote", "ws://bot.example.org"],
            ["pair", "Home", "--token-file", "-", "--setup-code-file", "-"], ["unpair"], ["forget", ""],
            ["pairings", "--show-secrets"], ["pairings", "--show-secrets", "--bin", "--format", "json"],
            ["connect", "--format", "json"], ["trust", "Home", "--certificate", "5f"],
            ["trust", "Home", "--certificate", String(repeating: "5f", count: 32), "--trust", "lan"],
            ["trust", "Home", "Gateway"], ["alias", "Home", "Gateway", "Attic"], ["mute", "Home", "Gateway", "--off"],
            ["device", "--name", ""], ["device", "--emoji", "abc"],
        ]
        let ofGateway = [
            ["aprove", "5b0e"], ["--host", "localhost"], ["--dialect", "klingon"], ["--misbehave", "well"],
            ["--bot", "=x"], ["--bot", "1=A:"], ["--bot", "1", "--bot", "1"], ["--bot", "1", "--bots", "f"],
            ["--name", ""], ["--port", "-1"],
        ]
        var text = ""
        func add(
            _ arguments: [String],
            _ program: String,
            _ root: any ParsableCommand.Type,
            adviceOnWords: @escaping @Sendable ([String]) -> String? = { _ in nil }
        ) throws {
            let typed = CommandLineArguments(arguments, for: root, adviceOnWords: adviceOnWords)
            let error = try #require(throws: (any Error).self) { try root.parseAsRoot(typed.prepared) }
            let message = typed.problem(error).replacing(/This host has: .*/, with: "…")
            let status = root.exitCode(for: error).rawValue
            text += "$ \(program) \(arguments.joined(separator: " "))\n\(message)\n[exit status \(status)]\n\n"
        }
        for arguments in commandLines {
            try add(arguments, "clawradar", RootCommand.self, adviceOnWords: UnquotedName.advice)
        }
        for arguments in ofGateway { try add(arguments, "reference-gateway", GatewayCommand.self) }
        try Golden.usage.expect(text)
    }
}
