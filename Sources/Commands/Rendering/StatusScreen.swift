internal import Agent
internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Reports

/// Everything at one glance: the gateways, paired or not, the agent, and of what nothing is told.
struct StatusDocument: JSONReport {
    /// The agent, where it was not asked.
    enum Absence {
        /// None runs.
        case off
        /// One runs, and it was not asked, or has not answered.
        case notAsked
    }

    /// The states of paired gateways, each as `PairedStatusReport` writes it.
    var gateways: [JSONValue]

    /// The other gateways, each as `GatewayReport` writes it.
    var unpaired: [JSONValue]

    /// The devices that wait for an approval, each as `ApprovalReport` writes it; `nil` if no agent knows them.
    var waiting: [JSONValue]?

    /// The agent, as its API shows it.
    var agent: JSONValue?
    var absence = Absence.off

    /// Sentences that say of what nothing is told now.
    var silence: [String] = []

    /// The last outage of a gateway that is watched, within a week.
    var outage: GatewayHistory.Outage?

    /// The line with the next command: to install an agent that keeps what is paired, else to pair; `nil` if nothing is to be
    /// done.
    var next: String? {
        if !gateways.isEmpty, agent == nil, absence == .off { return NextStep.install }
        return NextStep.line(reports: unpaired, paired: gateways.compactMap { $0["name"]?.string })
    }

    var fields: [String: JSONValue] {
        [
            "gateways": .array(gateways), "unpaired": .array(unpaired),
            "waiting": waiting.map(JSONValue.array) ?? .null,
            "agent": agent ?? .null, "silence": JSONValue(silence), "lastOutage": outage?.json ?? .null,
        ]
    }
}

/// The same for people; every text in it is cleaned.
enum StatusScreen {
    /// The most gateways that are listed without being paired: anybody can advertise any number.
    private static let mostUnpaired = 32

    /// Returns the table of gateways and, below it, the lines about everything else.
    static func text(
        _ document: StatusDocument,
        at now: Timestamp = .now,
        width: Int?,
        style: Style = Style(isOn: false)
    ) -> String {
        let unpaired = document.unpaired.prefix(mostUnpaired).map(StatusRow.init(unpaired:))
        let rows = document.gateways.map(StatusRow.init(report:)) + unpaired
        let table = StatusTable.text(rows, at: now, width: width, style: style)
        let rest = document.unpaired.count - unpaired.count
        let lines =
            (rest > 0 ? ["and \(rest) more that are not paired: clawradar scan"] : [])
            + (document.gateways.isEmpty ? ["nothing is paired. `clawradar pair NAME` pairs."] : [])
        let below = wrapped(lines, width)
        let waiting = (document.waiting ?? []).compactMap { waits in
            waits["request"].flatMap(DeviceRequest.init(report:)).map { (waits["name"]?.string ?? "", $0) }
        }
        let others =
            agent(document, width: width)
            + wrapped(ApprovalText.lines(waiting: waiting, at: now.milliseconds), width).map(style.yellow)
            + wrapped(document.silence + [document.outage.map { outage($0, at: now) }].compactMap(\.self), width)
        return table + (below + [""] + others).map { $0 + "\n" }.joined()
    }

    private static func agent(_ document: StatusDocument, width: Int?) -> [String] {
        if let agent = document.agent { return AgentTable.troubles(agent, width: width) }
        return switch document.absence {
        case .off: wrapped(["agent: off; nothing tells you when a gateway is gone"], width)
        case .notAsked: wrapped(["agent: not asked; what it does: clawradar agent status"], width)
        }
    }

    /// Returns the sentence about an outage.
    static func outage(_ outage: GatewayHistory.Outage, at now: Timestamp) -> String {
        let began = TimeText.localDay(outage.began)
        let lasted =
            outage.ended.map { "for \(Notice.length(from: outage.began, to: $0))" }
            ?? "and it lasts, for \(Notice.length(from: outage.began, to: now))"
        let reason = outage.reason.map { ", \(DisplayText(sentence: $0))" } ?? ""
        return "last outage: \(DisplayText(outage.name, limit: 64)), \(began), \(lasted)\(reason): clawradar history"
    }

    private static func wrapped(_ lines: [String], _ width: Int?) -> [String] {
        lines.flatMap { WrappedText.lines($0, first: "", width: width) }
    }
}
