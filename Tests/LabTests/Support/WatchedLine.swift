/// One line about a gateway that `clawradar watch` prints for people, taken apart.
///
///     14:03:09 + Home  10.0.0.1:3000  optaplus in 1.3 ms, 2 bots: 🤖 Jarvis, Friday
struct WatchedLine: Sendable {
    let text: String
    let time: ContinuousClock.Instant

    /// `+`, `~`, `-` or `!`.
    let mark: Character
    let name: String

    /// The address of the gateway, without the interface of a link-local one.
    let address: String?
    let port: Int?

    /// The statements about the gateway, each by itself, without what differs from run to run.
    let news: [String]

    /// - Returns: `nil` for what is no such line.
    init?(_ line: LabProcess.Line) {
        (text, time) = (line.text, line.time)
        guard let match = line.text.wholeMatch(of: /\d\d:\d\d:\d\d ([-+~!]) (.+)/),
            let mark = match.1.first
        else { return nil }
        self.mark = mark
        var fields = Self.fields(String(match.2))
        name = fields.removeFirst()
        if let endpoint = fields.first?.wholeMatch(of: /\[?([0-9a-f.:]+)(?:%\S+?)?\]?:(\d+)/) {
            (address, port) = (String(endpoint.1), Int(endpoint.2))
            fields.removeFirst()
        } else {
            (address, port) = (nil, nil)
        }
        let words = fields.flatMap { Self.things($0) }.map {
            $0.replacing(/\ in [0-9.]+ m?s\b/, with: "").replacing(/^now at .*/, with: "now at another address")
        }
        news = words.map { "\(mark) \($0)" }
    }

    /// The news items that are details of its paths and services, which a reader may skip.
    var details: [String] { news.filter(Self.isDetail) }

    /// Its news without the details.
    var facts: [String] { news.filter { !Self.isDetail($0) } }

    private static func isDetail(_ news: String) -> Bool {
        // A path that was asked in the moment in which what is there ended; it is asked again.
        if news.hasPrefix("+ ! "), news.hasSuffix(" is a WebSocket service that hung up") { return true }
        guard news.hasPrefix("~ ") else { return false }
        let words = news.dropFirst(2)
        // A path alone that answers, or does not any more, where the gateway answers on.
        return words.hasPrefix("paths ") || words.hasPrefix("advertised as ")
            || words.prefixMatch(of: /\[?[0-9a-f.:]+(%\S+?)?\]?:\d+ (answering|suspect|gone|not asked yet)/) != nil
    }

    /// Returns the parts of a text that two spaces separate.
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

    /// Returns the parts of a text that semicolons separate. One of the flags has a semicolon of its own.
    private static func things(_ text: String) -> [String] {
        text.replacing("; at most one of them is what it says", with: "").split(separator: "; ").map(String.init)
    }
}
