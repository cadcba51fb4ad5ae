internal import Foundation

/// A command in a transcript of the README or of a file in `docs/`, with the lines that it prints there.
///
/// Readers will copy it, so it must work, and print what they see. Transcripts are the blocks without a language; a command
/// follows `$ `.
package struct DocumentedCommand: Hashable, CustomStringConvertible, Sendable {
    /// The file that contains it, relative to the package: `docs/finding.md`.
    package let file: String

    /// The line that is typed in a shell.
    package let line: String

    /// The lines that follow it.
    package fileprivate(set) var output: [String] = []

    package var description: String { "\(file): \(line)" }

    /// The files that users read.
    package static func files() throws -> [String] {
        let guides = try FileManager.default.contentsOfDirectory(atPath: package.appending(path: "docs").path)
        return ["README.md"] + guides.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }

    /// Returns the text of a file of the package.
    package static func text(_ path: String) throws -> String {
        try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }

    /// Returns the commands of a file, in its order.
    package static func all(in file: String) throws -> [DocumentedCommand] {
        var commands: [DocumentedCommand] = []
        var isOpen: Bool?
        for line in try text(file).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isOpen = isOpen == nil ? line == "```" : nil
            } else if isOpen == true, line.hasPrefix("$ ") {
                commands.append(DocumentedCommand(file: file, line: String(line.dropFirst(2))))
            } else if isOpen == true, !line.allSatisfy(\.isWhitespace), !commands.isEmpty {
                commands[commands.count - 1].output.append(String(line))
            }
        }
        return commands
    }

    /// The program that it runs: `clawradar`, or `reference-gateway`.
    package var program: String? { words.first }

    /// The arguments of one of these programs; `nil` for another one.
    package var arguments: [String]? {
        program == "clawradar" || program == "reference-gateway" ? Array(words.dropFirst()) : nil
    }

    /// The words, as a shell would split them, up to the pipe, redirection or comment.
    private var words: [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                (quote, word) = (character, word ?? "")
            } else if character == " " {
                if let done = word { words.append(done) }
                word = nil
            } else if word == nil, "|>#".contains(character) {
                break
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return words
    }

    private static var package: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }
}
