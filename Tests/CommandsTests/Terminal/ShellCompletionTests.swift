import ArgumentParser
import Foundation
import GatewayProtocol
import Pairing
import Testing

@testable import Commands

/// Real shells complete the names of paired gateways and bots. Gateways choose these names; bash substitutes commands in
/// the words of a completion, so that a name could run a program on this host when the user presses Tab.
@Suite(.timeLimit(.minutes(2))) struct ShellCompletionTests {
    /// A shell that users have.
    enum Shell: String, CaseIterable {
        case bash
        case zsh
        case fish

        /// The file in its folder that it reads when it starts, which loads the completions.
        var startFile: String {
            switch self {
            case .bash: ".bashrc"
            case .zsh: ".zshrc"
            case .fish: ".config/fish/config.fish"
            }
        }

        func startScript(completions: String) -> String {
            switch self {
            case .bash: "source '\(completions)'; PS1='> '; bind 'set enable-bracketed-paste off'; echo ready\n"
            case .zsh: "autoload -U compinit; compinit -D -u; source '\(completions)'; PS1='> '; echo ready\n"
            case .fish: "source '\(completions)'; set -g fish_greeting; echo ready\n"
            }
        }
    }

    /// Names that a shell, a terminal or a command could take for something else than a name.
    private static let names = [
        "$(touch ran)", "`touch ran`", "a;touch ran", "a\ntouch ran\n", "'; touch ran; '", "\"; touch ran; \"", "*",
        "~",
        "~root", "two  words", "\u{1B}]0;owned\u{7}", "\u{202E}live", "-rf", "--yes", "=ls", "{a,b}", "$HOME", "!!",
        "a:b", "a\tb", "%F{red}x", "<(touch ran)", "${x:-$(touch ran)}", "#x", "a\\$(touch ran)", "|touch ran", "&",
        "[a-z]", "a b\u{200B}", "(e:'touch ran':)", "x\u{9B}2J", String(repeating: "long", count: 50),
    ]

    private static func pairings() throws -> [StoredPairing] {
        let hostile = try names.enumerated().map { index, name in
            try pairing(name, number: index + 16)
        }
        let bots = names.enumerated().map { (id: "bot-\($0)", name: $1) } + [("$(touch ran)", "`touch ran`")]
        return hostile + [try pairing("Home", number: 8, bots: bots + [("main", "Jarvis")])]
    }

    /// Returns a pairing whose identifier begins with a number of two digits.
    private static func pairing(
        _ name: String,
        number: Int,
        bots: [(id: String, name: String)] = []
    ) throws -> StoredPairing {
        let digits = prefix(number) + String(repeating: "0", count: 24)
        return try Pairings.pairing(name, digits: digits, fingerprint: "fp-\(number)", bots: bots)
    }

    private static func prefix(_ number: Int) -> String {
        (number < 16 ? "0" : "") + String(number, radix: 16) + "bbbbbb"
    }

    /// Nothing runs and no control character reaches the terminal, and each word that the shell inserts means the one
    /// gateway or bot that it stands for.
    @Test(arguments: Shell.allCases)
    func namesAreWordsAndNothingElse(shell: Shell) async throws {
        try await StoreOfTool.with(try Self.pairings()) { store in
            let folder = try store.makeFolder("home")
            let file = folder.appending(path: shell.startFile)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let bin = try store.makeFolder("bin")
            let tool = bin.appending(path: "clawradar")
            try FileManager.default.createSymbolicLink(at: tool, withDestinationURL: Tool.executable)
            let script = try await Tool.run(["--generate-completion-script", shell.rawValue]).output
            let completions = bin.appending(path: "completions")
            try script.write(to: completions, atomically: true, encoding: .utf8)
            try shell.startScript(completions: completions.path).write(to: file, atomically: true, encoding: .utf8)

            let path = "\(bin.path):/usr/bin:/bin"
            let terminal = try PseudoTerminal(
                [shell.rawValue, "-i"],
                environment: store.environment.merging(["PATH": path]) { $1 },
                folder: folder,
                columns: 200,
                rows: 200
            )
            try await terminal.wait(for: "ready")
            // All words are offered; the last of them shows that the shell is done.
            terminal.type("clawradar disconnect \t\(shell == .bash ? "\t" : "")")
            try await terminal.wait(for: "Jarvis")
            let made = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(!made.contains { $0.hasSuffix("ran") }, "a name was run as a command")
            terminal.type("\u{15}")
            // All of these words are alike: some of them are enough.
            for index in stride(from: 0, to: Self.names.count, by: 6) {
                let word = Self.prefix(index + 16)
                terminal.type("clawradar disconnect \(word.prefix(2))\t\r")
                try await terminal.wait(for: "(\(word)) is not connected to until")
            }
            terminal.type("clawradar archive 08bbbbbb/bot-0\t\r")
            try await terminal.wait(for: "(bot-0) of “Home”")
            for typed in ["Ho", "Jar"] {
                terminal.type("clawradar disconnect \(typed)\t\r")
                try await terminal.wait(for: "“Home” (08bbbbbb) is not connected to until")
            }
            // A word that somebody begins to type like a name is completed by nothing.
            terminal.type("clawradar disconnect '$(tou\t\u{15}exit\r")
            _ = await terminal.end()
            let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(!left.contains { $0.hasSuffix("ran") }, "a name was run as a command")
            #expect(!terminal.transcript.contains("\u{1B}]0;owned"), "a name has set the title of the terminal")
            #expect(!terminal.transcript.contains("\u{202E}"))
        }
    }

    /// Only words of characters that no shell expands or splits are offered; what has another name is offered by its
    /// identifier, with its cleaned name beside it where the shell shows that.
    @Test func unsafeNamesAreOfferedByIdentifier() throws {
        let pairings = try Self.pairings()
        let bots = pairings.flatMap { pairing in pairing.bots.map { (pairing: pairing, bot: $0) } }
        let offered = NameCompletion.all(pairings, bots: bots)
        #expect(offered.count == pairings.count + bots.count - 1, "only the bot without any safe name is left out")
        #expect(offered.allSatisfy { $0.word.utf8.allSatisfy { (0x2D...0x7A).contains($0) && $0 != 0x3B } })
        #expect(offered.contains { $0.word == "Home" } && offered.contains { $0.word == "Jarvis" })
        for (completion, pairing) in zip(offered, pairings) {
            #expect(try PairedName(completion.word).subject(among: pairings) == .gateway(pairing.id))
            #expect(completion.line(for: .bash) == completion.word)
            #expect(completion.line(for: nil) == completion.word)
            for line in [completion.line(for: .zsh), completion.line(for: .fish)] {
                #expect(!line.contains("\n") && !line.contains("\u{1B}") && !line.contains("\u{202E}"))
            }
        }
    }
}
