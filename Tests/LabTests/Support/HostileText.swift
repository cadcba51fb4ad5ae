import Foundation

/// A gateway all of whose texts are written for an interpreter: a shell, a terminal, a reader of lines, a formatter.
///
/// What they would do can be noticed: a command makes the file *canary*, and a forged line begins with *FORGED*.
struct HostileText: Encodable, Sendable {
    struct Bot: Encodable, Sendable {
        let botId: String
        let name: String
        let emoji: String
    }

    /// The name of the service, in hexadecimal.
    let instance: String
    let name: String
    let fingerprint: String
    let bots: [Bot]

    /// The name that is kept: at most 256 bytes.
    var keptName: String { String(decoding: name.utf8.prefix(256), as: UTF8.self) }

    /// The name that is stored with a pairing: without NUL, at which SQLite would end it.
    var storedName: String { keptName.filter { $0 != "\0" } }

    /// The names under which JSON shows it: those of a pairing, and of the network, where 64 characters are kept.
    var jsonNames: [String] { [keptName, storedName, String(name.prefix(64))] }

    private init(_ text: String, longer: String = "", number: Int) {
        var service = text
        while service.utf8.count > 63 { service.removeLast() }
        instance = service.utf8.map { String(format: "%02x", $0) }.joined()
        name = text + longer
        // 128 bytes, with a line that is forged where a terminal of 80 columns breaks.
        let start = "fp\(number) \(text)"
        let padding = String(repeating: " ", count: max(0, 100 - start.utf8.count))
        fingerprint = String(decoding: (start + padding + "FORGED trust: certified").utf8.prefix(128), as: UTF8.self)
        bots = [
            Bot(botId: "\(number)$(touch canary)`touch canary`", name: text, emoji: "\u{1B}[31;45m"),
            Bot(
                botId: "bot\(number)\nFORGED",
                name: "b" + String(repeating: " ", count: 55) + "FORGED",
                emoji: "$(touch canary)"
            ),
        ]
    }

    /// Ten gateways.
    static let all = [
        ("G0 $(touch canary)", ""),
        ("G1 '\u{301};touch canary;'\u{301} \u{D4E}`touch canary\u{D4E}`", ""),
        ("G2; touch canary & touch canary | touch canary || touch canary", ""),
        ("G3\nFORGED a\r\nFORGED b\u{85}FORGED c\u{2028}FORGED d\u{0B}FORGED", ""),
        ("G4 \u{1B}[2J\u{1B}[31;45m\u{1B}]0;FORGED\u{07}\u{9B}31m\u{1B}P\u{08}\u{7F}", ""),
        ("G5 \u{202E}DEGROF\u{2066}\u{200B}\u{FEFF}\u{061C}", ""),
        ("G6\u{0}FORGED\u{0}$(touch canary)", ""),
        ("G7 '\"\\ *?[a-z]~ !! {a,b} ${HOME} <(touch canary) >canary", ""),
        ("-rf --yes --format=json $IFS", ""),
        (
            "G9 %s%n%x [x](http://x) <script>x</script> 🤖👨‍👩‍👧",
            String(repeating: " A", count: 30_000) + "\nFORGED"
        ),
    ].enumerated().map { HostileText($1.0, longer: $1.1, number: $0) }

    // MARK: What must not be shown

    /// Returns what is wrong with a text that people read.
    ///
    /// - Parameter columns: The width of the terminal that it was shown on; `nil` if it went through a pipe.
    static func complaints(about text: String, columns: Int? = nil) -> [String] {
        var complaints: [String] = []
        var plain = text
        if columns != nil {
            if text.contains("\u{1B}]") || text.contains("\u{1B}P") {
                complaints.append("a terminal sequence of theirs")
            }
            if text.contains("[31;45m") && text.contains("\u{1B}[31;45m") { complaints.append("a colour of theirs") }
            // The tool itself moves the cursor and erases lines.
            // CR and LF are one character of Swift's, so that they are looked at as scalars.
            plain = text.replacing(/\x1B\[[0-9;?]*[A-Za-z]/, with: "")
            plain.unicodeScalars.removeAll { $0 == "\r" }
        }
        for scalar in plain.unicodeScalars where scalar != "\n" && isHidden(scalar) {
            complaints.append("the character U+\(String(scalar.value, radix: 16))")
        }
        let rows = plain.split(separator: "\n").flatMap { line in
            columns.map { Self.rows(of: line, width: $0) } ?? [line]
        }
        for row in rows where row.drop(while: { $0 == " " }).hasPrefix("FORGED") {
            complaints.append("a forged line: \(row)")
        }
        return complaints
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }

    /// Returns the rows into which a terminal breaks a line.
    private static func rows(of line: Substring, width: Int) -> [Substring] {
        var rows: [Substring] = []
        var (start, used) = (line.startIndex, 0)
        for index in line.indices {
            // Emoji are two columns wide.
            let columns = line[index].unicodeScalars.contains { $0.value >= 0x1F300 } ? 2 : 1
            if used + columns > width {
                rows.append(line[start..<index])
                (start, used) = (index, 0)
            }
            used += columns
        }
        return rows + [line[start...]]
    }
}
