/// One number of a metric, as it is scraped.
struct MetricSample: Hashable, Sendable {
    /// A type of the exposition format of Prometheus.
    enum Kind: String {
        case counter, gauge, summary
    }

    let key: MetricKey
    let kind: Kind
    let suffix: String
    let value: Double

    init(_ key: MetricKey, _ kind: Kind, suffix: String = "", _ value: Double) {
        self.key = key
        self.kind = kind
        self.suffix = suffix
        self.value = value
    }

    /// Returns samples as text, in version 0.0.4 of the exposition format. All of one metric follow each other.
    static func text(_ samples: [MetricSample]) -> String {
        var lines: [String] = []
        var name: String?
        for sample in samples {
            if sample.key.name != name {
                name = sample.key.name
                if let help = MetricHelp.text(sample.key.name) { lines.append("# HELP \(sample.key.name) \(help)") }
                lines.append("# TYPE \(sample.key.name) \(sample.kind.rawValue)")
            }
            lines.append(sample.line)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private var line: String {
        let labels = key.labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        return "\(key.name)\(suffix)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(value))"
    }

    /// Returns the value of a label as it stands between quotation marks. Each scalar is judged by itself: with the combining
    /// mark after it, a quotation mark is another character, and still ends the value.
    private static func escaped(_ value: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\", "\"": result.append(contentsOf: ["\\", scalar])
            case "\n": result.append(contentsOf: "\\n".unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }
}
