internal import GatewayProtocol
internal import Reports

/// A scan that an agent has made: what it knows after it has checked anew.
struct AgentScan {
    /// The document, as `scan --format json` prints it.
    let document: JSONValue

    /// Makes the scan from the answer of an agent.
    init(_ document: JSONValue) {
        self.document = document
    }

    private func list(_ key: String) -> [JSONValue] { document[key]?.array ?? [] }

    /// Returns the gateway with an identifier.
    func gateway(_ id: String) -> JSONValue? { list("gateways").first { $0["id"]?.string == id } }

    /// The gateways, as `GatewayReport` writes them.
    var reports: [JSONValue] { list("gateways") }

    /// The rows of the gateways, for people.
    var gateways: [GatewayRow] { list("gateways").map(GatewayRow.init(report:)) }

    /// The rows of other things, for people.
    var others: [OtherRow] { list("others").map(OtherRow.init(report:)) }

    /// The reasons why this may not be all.
    var warnings: [String] { list("warnings").compactMap(\.string) }

    /// The document as one line.
    var line: String { String(decoding: document.encoded, as: UTF8.self) + "\n" }

    /// One line for each thing that was found.
    var lines: [String] {
        let time = Timestamp.now
        return [("gateways", "gateway"), ("others", "other"), ("services", "service")].flatMap { key, kind in
            list(key).map { FoundReport(kind: kind, value: $0, time: time).line }
        }
    }

    /// Returns the outcome of the scan.
    ///
    /// - Parameters:
    ///   - scope: The part of the network that it covers; looked up only if nothing answers.
    ///   - teller: The place that says why something is no gateway.
    func verdict(scope: @autoclosure () -> ScanScope, teller: String = "the table") -> ScanVerdict {
        let trouble = document["trouble"]?.string
        let answering = list("gateways").count { $0["liveness"]?.string == "answering" }
        return ScanVerdict(
            answering: answering,
            asked: list("gateways").count + list("others").count,
            ofServices: answering > 0
                ? .found(warning: nil) : ScanVerdict(hasFound: !list("services").isEmpty, trouble, scope: scope()),
            trouble: trouble,
            teller: teller
        )
    }
}

/// Something that was found, as a line of a stream.
private struct FoundReport: JSONReport {
    let kind: String
    let value: JSONValue
    let time: Timestamp

    var fields: [String: JSONValue] {
        ["time": .string(time.description), "event": "found", "kind": .string(kind), kind: value].with(.at)
    }
}
