import TestSupport
import Testing

@testable import Reports

/// A word of a printed command is that word in every shell, or there is none: gateways choose names, and people paste
/// commands.
@Suite(.timeLimit(.minutes(5))) struct ShellWordTests {
    private static let known = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:/@+=%#()[]~".utf8
    )

    /// Whatever scalar stands beside a mark, a word is its text with bytes alone that no shell gives a meaning to between
    /// quotation marks. It is judged by reading its bytes.
    @Test func noScalarHidesAMark() {
        for (scalar, marks) in HostileScalars.texts {
            let text = "Home\(marks)"
            for word in [ShellWord(text), ShellWord(name: text)].compactMap(\.self) {
                let bytes = Array(word.description.utf8)
                let inside = Array(bytes.dropFirst().dropLast())
                guard bytes.first != bytes.last || inside != Array(text.utf8) || !inside.allSatisfy(Self.known.contains)
                else { continue }
                return #expect(Bool(false), "U+\(String(scalar.value, radix: 16)): \(word)")
            }
        }
    }

    /// Every word of two marks, and with each scalar of ASCII beside a mark, is one word in real shells, and runs nothing.
    @Test func wordsAreWordsInEveryShell() throws {
        let ascii = HostileScalars.all.prefix(128)
        var texts = ascii.flatMap { scalar in
            HostileScalars.marks.map { "Home\(HostileScalars.text(scalar, around: $0))touch canary" }
        }
        texts += [
            "~root", "=ls", "%1", "#x", "[a-z]", "(x)", "a b ", "10.0.0.2:3000", "[fe80::1%eth0]:3000",
            "kitchen=10.0.0.2:443/x/",
        ]
        let words = texts.flatMap { text in
            [ShellWord(text), ShellWord(name: text)].compactMap { word in word.map { ($0.description, text) } }
        }
        #expect(words.count > 500)
        #expect(try Self.problem(words) == nil)
    }

    /// A link is one word in every shell, whatever stands in it: what has a meaning there makes it none.
    @Test func linksAreLinksInEveryShell() throws {
        let link = "optaplus://pair?host=10.0.0.2&port=3000&fp=a%20b&token=x.y-z_~"
        let word = try #require(ShellWord(link: link))
        #expect(try Self.problem([(word.description, link)]) == nil)
        for mark in ["'", "\"", "\\", "!", "$", "`", " ", "\n", ";", "é"] {
            #expect(ShellWord(link: link + mark) == nil && ShellWord(link: mark + link) == nil, "\(mark)")
        }
    }

    /// The path of a file that the user has typed is that path in every shell, whatever is in it.
    @Test func pathsArePathsInEveryShell() throws {
        let joining = HostileScalars.joining.enumerated().filter { TestCases.areAll || $0.offset % 5 == 0 }.map(
            \.element
        )
        let scalars = joining + HostileScalars.all.prefix(0x300)
        let words = scalars.compactMap { scalar in
            // Line feeds and exclamation marks are in no printed path.
            let text = HostileScalars.text(scalar).unicodeScalars.filter { $0 != "\n" && $0 != "!" }
            let path = "x" + String(String.UnicodeScalarView(text))
            return ShellWord(path: path).map { ($0.description, path) }
        }
        #expect(words.count > 500)
        #expect(try Self.problem(words) == nil)
        #expect(ShellWord(path: "-rf")?.description == "'./-rf'")
        for path in ["", "a!b", "a\nb", "a\u{1B}b", "a\u{202E}b", String(repeating: "x", count: 300)] {
            #expect(ShellWord(path: path) == nil)
        }
    }

    /// Returns the first word that is another one than its text in any shell.
    private static func problem(_ words: [(word: String, text: String)]) throws -> String? {
        let parts = stride(from: 0, to: words.count, by: 200).map { words[$0..<min($0 + 200, words.count)] }
        let lines = parts.map { "clawradar " + $0.map(\.word).joined(separator: " ") }
        return try PastedLines.problem(lines, parts.map { $0.map(\.text) })
    }

    /// What nobody could tell from an identifier, an address, a link or an option is no word for a name.
    @Test(arguments: [
        "", " ", "-rf", "--yes", "(x", "aaaaaaaa", "AAAA0000", "10.0.0.2", "2024", "10.0.0.2:3000", "fe80::1", "a/b",
        "ws://x", "optaplus://pair?x", "fingerprint:x", "kitchen=10.0.0.1:3000", "it's", "a!", "Küche", "🦞", "x\u{301}",
        String(repeating: "x", count: 65),
    ])
    func whatMayMeanSomethingElseIsNoName(text: String) {
        #expect(ShellWord(name: text) == nil)
    }

    @Test(arguments: ["Home Gateway", "Home Gateway (2)", "Kitchen #2", "c++, node.js", "living_room-2", "x"])
    func otherNamesAreWords(text: String) {
        let word = ShellWord(name: text)?.description
        #expect(word == "\"\(text)\"" || word == "'\(text)'")
    }
}
