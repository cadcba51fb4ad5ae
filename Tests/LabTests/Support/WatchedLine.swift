/// A line about a gateway that `clawradar watch` prints for people, parsed.
///
///     14:03:09 + Home  10.0.0.1:3000  optaplus in 1.3 ms, 2 bots: 🤖 Jarvis, Friday
struct WatchedLine: Sendable {
    let text: String
    let time: ContinuousClock.Instant

    /// `+`, `~`, `-` or `!`.
    let mark: Character
    let name: String

    /// The address of the gateway, without the interface of a link-local one and the name by which it was entered.
    let address: String?
    let port: Int?

    /// The statements about the gateway, each with the mark before it. Parts that differ from run to run, such as the
    /// latency, are removed.
    let statements: [String]

    /// - Returns: `nil` if the line is not about a gateway.
    init?(_ line: LabProcess.Line) {
        (text, time) = (line.text, line.time)
        guard let match = line.text.wholeMatch(of: /\d\d:\d\d:\d\d ([-+~!]) (.+)/),
            let mark = match.1.first
        else { return nil }
        self.mark = mark
        var fields = Self.fields(String(match.2))
        name = fields.removeFirst()
        if let endpoint = fields.first?.wholeMatch(of: /(?:[a-z0-9.\-]+=)?\[?([0-9a-f.:]+)(?:%\S+?)?\]?:(\d+)/) {
            (address, port) = (String(endpoint.1), Int(endpoint.2))
            fields.removeFirst()
        } else {
            (address, port) = (nil, nil)
        }
        let texts = fields.flatMap { Self.statements(of: $0) }.map {
            $0.replacing(/\ in [0-9.]+ m?s\b/, with: "").replacing(/^now at .*/, with: "now at another address")
        }
        statements = texts.map { "\(mark) \($0)" }
    }

    /// The statements about single paths and services. Their number is limited, and their order does not matter.
    var details: [String] { statements.filter(Self.isDetail) }

    /// The statements about the gateway as a whole.
    var facts: [String] { statements.filter { !Self.isDetail($0) } }

    private static func isDetail(_ statement: String) -> Bool {
        // A path was probed at the moment at which the gateway ended; it is probed again.
        if statement.hasPrefix("+ ! "), statement.hasSuffix(" is a WebSocket service that hung up") { return true }
        guard statement.hasPrefix("~ ") else { return false }
        let text = statement.dropFirst(2)
        // The last alternative is a change of the liveness of a single path.
        return text.hasPrefix("paths ") || text.hasPrefix("advertised as ")
            || text.replacing(/^[a-z0-9.\-]+=/, with: "")
                .prefixMatch(of: /\[?[0-9a-f.:]+(%\S+?)?\]?:\d+ (answering|suspect|gone|not asked yet)/) != nil
    }

    /// Returns the columns of a line, which are separated by two spaces.
    private static func fields(_ text: String) -> [String] {
        var fields = [""]
        var rest = text[...]
        while let end = rest.firstRange(of: "  ") {
            fields[fields.count - 1] = String(rest[..<end.lowerBound])
            rest = rest[end.upperBound...]
            fields.append("")
        }
        fields[fields.count - 1] = String(rest)
        return fields
    }

    /// Returns the statements of a column, which are separated by semicolons. The text of one of the flags contains a
    /// semicolon, which separates nothing.
    private static func statements(of text: String) -> [String] {
        text.replacing("; at most one of them is what it says", with: "").split(separator: "; ").map(String.init)
    }
}
