import Foundation
import Synchronization
import TestSupport
import Testing

/// A kind of printed command: its verb and its options, whatever it is about.
struct CommandKind: Hashable, Sendable, CustomStringConvertible {
    /// The verbs that have others within them.
    private static let nested = ["agent", "config", "notify"]

    let verb: String
    let options: Set<String>

    var description: String { ([verb] + options.sorted()).joined(separator: " ") }

    /// Reads the kind of a command.
    ///
    /// - Parameters:
    ///   - command: The words after `clawradar`; what stands between quotation marks is left out.
    ///   - verbs: The words that are verbs.
    /// - Returns: `nil` if it begins with none of them, as a sentence about the program does.
    init?(_ command: String, verbs: Set<String>) {
        let words = command.split(separator: " ").map(String.init)
        guard let first = words.first, verbs.contains(first) || first == "--version" else { return nil }
        let second = words.dropFirst().first.flatMap { verbs.contains($0) && Self.nested.contains(first) ? $0 : nil }
        verb = [first, second].compactMap(\.self).joined(separator: " ")
        options = Set(words.dropFirst().filter { $0.hasPrefix("--") && $0.count > 2 })
    }

    /// Indicates whether a command of another kind is one of this kind, too: it has the verb, and at least the options.
    func isCovered(by other: CommandKind) -> Bool { verb == other.verb && options.isSubset(of: other.options) }

    // MARK: In the sources

    /// The verbs of the program.
    static func verbs() throws -> Set<String> {
        let texts = try SourceFile.all(of: "Commands").map(\.text)
        return Set(texts.flatMap { $0.matches(of: /commandName: "([a-z-]+)"/).map { String($0.output.1) } })
    }

    /// The kinds in the strings that the program can print, each with a place at which it stands. Texts of help are left out:
    /// they are one string over several lines, or a usage.
    static func inSources(verbs: Set<String>) throws -> [CommandKind: String] {
        let modules = try FileManager.default.contentsOfDirectory(
            atPath: Lab.root.appendingPathComponent("Sources").path
        )
        let quotes = String(repeating: "\"", count: 3)
        // Once: a literal of a regular expression is parsed wherever it is evaluated, and there are a hundred thousand lines.
        let command = /clawradar ([A-Za-z0-9 :\-]+)/
        var kinds: [CommandKind: String] = [:]
        for module in modules.sorted() where module != "ReferenceGateway" && module != "reference-gateway" {
            for file in try SourceFile.all(of: module) {
                var isHelp = false
                for (number, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    let code = line.drop(while: \.isWhitespace)
                    if code.ranges(of: quotes).count % 2 == 1 { isHelp.toggle() }
                    guard !isHelp, !code.hasPrefix("//"), !code.hasPrefix("usage:") else { continue }
                    guard code.contains("clawradar ") else { continue }
                    for match in filled(String(code)).matches(of: command) {
                        guard let kind = CommandKind(String(match.output.1), verbs: verbs) else { continue }
                        kinds[kind] = kinds[kind] ?? "\(file.path):\(number + 1)"
                    }
                }
            }
        }
        return kinds
    }

    /// Returns a line of a source with a word in place of each value that is inserted into a string.
    private static func filled(_ line: String) -> String {
        var (text, rest) = ("", Substring(line))
        while let start = rest.firstRange(of: #"\("#) {
            text += rest[..<start.lowerBound] + "X"
            rest = rest[start.upperBound...]
            var depth = 1
            while depth > 0, let next = rest.popFirst() {
                if next == "(" { depth += 1 } else if next == ")" { depth -= 1 }
            }
        }
        return text + rest
    }
}

/// The commands that the program prints in a test, which runs them as they are printed, in a shell that finds the program by
/// its name.
final class PrintedCommands: Sendable {
    /// A command: words between quotation marks, or of harmless characters.
    private static func pattern() -> Regex<Substring> {
        /clawradar(?: (?:"[^"\n]*"|'[^'\n]*'|[A-Za-z0-9\-][A-Za-z0-9\-_.:\/\[\]%@=]*))+/
    }

    private let verbs: Set<String>
    private let folder: ScratchFolder
    private let kinds = Mutex((seen: Set<CommandKind>(), run: Set<CommandKind>()))

    /// The kinds that were printed.
    var seen: Set<CommandKind> { kinds.withLock { $0.seen } }

    /// The kinds that were run.
    var run: Set<CommandKind> { kinds.withLock { $0.run } }

    init() throws {
        verbs = try CommandKind.verbs()
        folder = try ScratchFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("clawradar"),
            withDestinationPath: Lab.clawradar
        )
    }

    /// Returns the first command that begins with these words in what was printed.
    ///
    /// - Parameter values: The values for placeholders, which a person puts in their place.
    func command(
        _ words: String,
        in shown: LabProcess.Result,
        _ values: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        try command(words, in: "\(shown.output)\n\(shown.errors)", values, location)
    }

    /// Returns the first command that begins with these words in a text.
    func command(
        _ words: String,
        in text: String,
        _ values: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let all = text.matches(of: Self.pattern()).map { match in
            // A full stop or a colon after a command is the sentence's.
            String(match.output.reversed().drop { ".:".contains($0) }.reversed())
        }
        kinds.withLock { kinds in kinds.seen.formUnion(all.compactMap(kind)) }
        let found = all.first { $0 == "clawradar \(words)" || $0.hasPrefix("clawradar \(words) ") }
        var command = try #require(found, "no “clawradar \(words)” in: \(text)", sourceLocation: location)
        for (placeholder, value) in values { command = command.replacing(" \(placeholder)", with: " \(value)") }
        return command
    }

    private func kind(_ command: String) -> CommandKind? {
        let words = command.dropFirst("clawradar ".count).replacing(/"[^"]*"|'[^']*'/, with: "X")
        return CommandKind(String(words), verbs: verbs)
    }

    /// Runs a command of a device at a terminal, at which a person agrees to everything.
    ///
    /// - Parameter secret: The file with what is typed where a secret is asked for.
    func run(
        _ command: String,
        on device: LabDevice,
        secret: SecretFile? = nil
    ) async throws -> LabProcess.Result {
        let person = [Lab.tool("person")] + (secret.map { ["--secret", $0.path] } ?? []) + ["--"]
        return try await Lab.run(on: device.host.name, line(command, on: device, person), within: .seconds(70))
    }

    /// Starts a command of a device that goes on until it is told to end, not at a terminal.
    func begin(_ command: String, on device: LabDevice) throws -> LabProcess {
        // The signal that ends it reaches what the shell has started, too.
        try Lab.start(on: device.host.name, line(command, on: device, ["timeout", "150"]))
    }

    private func line(_ command: String, on device: LabDevice, _ program: [String]) -> [String] {
        kinds.withLock { kinds in if let kind = kind(command) { kinds.run.insert(kind) } }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return device.command([]).dropLast() + ["PATH=\(folder.path("")):\(path)"] + program + ["sh", "-c", command]
    }
}
