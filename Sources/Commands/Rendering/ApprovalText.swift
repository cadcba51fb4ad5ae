internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// Devices that wait for an approval, in words. Strangers have chosen all of these, so that every text is cleaned.
enum ApprovalText {
    /// The width to which names of devices are cut, in cells. They stand in quotation marks, which no name contains, so
    /// that none can look like what stands beside it.
    private static let nameWidth = 40

    /// Returns the columns of the table. An identifier that has to be typed is not cut: one that was, is none.
    private static func columns(_ ids: [String]) -> [TextTable.Column] {
        [
            TextTable.Column("REQUEST", minimum: ids.map(\.utf8.count).max() ?? 8, keepsEnd: true),
            TextTable.Column("DEVICE", minimum: 12),
            TextTable.Column("AGE", minimum: 6, keepsEnd: true),
            TextTable.Column("GATEWAY", minimum: 12, rank: 1),
        ]
    }

    /// Returns the table of the devices that wait; empty if none does.
    ///
    /// - Parameters:
    ///   - reports: The devices, each at its gateway.
    ///   - time: The time now, in milliseconds since 1970.
    ///   - width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func table(_ reports: [DeviceRequestReport], at time: Int, width: Int?) -> String {
        guard !reports.isEmpty else { return "" }
        let ids = shownIDs(reports.map(\.request))
        let cells = zip(reports, ids).map { row, id in
            [
                id, row.request.name.map { PromptLines.quoted($0, in: nameWidth) } ?? "-", age(row.request, at: time),
                DisplayText(row.gatewayName, limit: 64).text,
            ]
        }
        let table = TextTable(columns: columns(ids), rows: cells).lines(width: width)
        let lines = zip(table.dropFirst(), reports).flatMap { line, row -> [String] in
            let lacking = row.lacking
            let limit = lacking.isEmpty ? [] : wrapped("more than this device can approve", lacking, width)
            guard row.request.asksForScopes else {
                return [line] + WrappedText.lines(asksToBePaired(row.request), width: width) + limit
            }
            return [line] + wrapped(asked(row.request), row.request.scopes, width) + limit
        }
        return (table.prefix(1) + lines).map { $0 + "\n" }.joined()
    }

    /// Returns the beginnings of identifiers by which `approve` finds them, or the whole where several begin alike, or the
    /// whole is needed.
    private static func shownIDs(_ requests: [DeviceRequest]) -> [String] {
        let beginnings = requests.reduce(into: [:]) { $0[$1.id.prefix(RequestName.shortest), default: 0] += 1 }
        return requests.map { request in
            let short = request.id.prefix(RequestName.shortest)
            return beginnings[short] == 1 && !request.isNamedByItsDevice ? String(short) : request.id
        }
    }

    private static func wrapped(_ title: String, _ scopes: [String], _ width: Int?) -> [String] {
        let items = scopes.isEmpty ? ["no scope"] : scopes.map(DeviceRequest.shown)
        return TextTable.wrapped(["\(title): \(items[0])"] + items.dropFirst(), width: width)
    }

    /// Returns the words about a device that asks for no scope: of a node, what it is and where, since nobody else shows that.
    private static func asksToBePaired(_ request: DeviceRequest) -> String {
        guard request.isNode else { return "asks to be paired" }
        let program = [request.platform, request.version].compactMap(\.self).map { DisplayText($0, limit: 48).text }
        let what = program.isEmpty ? "" : ", \(program.joined(separator: " "))"
        let address = request.address.map { ", from \(DisplayText($0, limit: 48))" } ?? ""
        return "asks to be paired as a node\(what)\(address)"
    }

    private static func asked(_ request: DeviceRequest) -> String {
        request.roles.isEmpty ? "asks for" : "asks for, as \(roles(request))"
    }

    private static func roles(_ request: DeviceRequest) -> String {
        request.roles.map(DeviceRequest.shown).joined(separator: " and ")
    }

    /// Returns the time since a request was made, which the gateway's clock may tell wrongly.
    private static func age(_ request: DeviceRequest, at time: Int) -> String {
        guard let asked = request.time else { return "-" }
        let seconds = time > asked ? time.subtractingReportingOverflow(asked).partialValue / 1_000 : 0
        return switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) min"
        default: "\(seconds / 3_600) h"
        }
    }

    // MARK: Lines

    /// Returns a line such as `14:03:09 Claw  “Kitchen iPad” waits for approval, 2 s: it asks for operator.read  (clawradar
    /// approve 1b4e…)`.
    static func line(_ change: ApprovalFeed.Change, at time: Timestamp) -> String {
        switch change {
        case .waits(let approval):
            "\(TimeText.local(time)) ! \(gateway(approval))  \(waiting(approval.request, at: time.milliseconds))"
        case .over(let approval):
            "\(TimeText.local(time)) ! \(gateway(approval))  \(device(approval.request)) waits no more for approval"
        }
    }

    /// Returns the line about a device that waits, without its gateway.
    static func waiting(_ request: DeviceRequest, at time: Int) -> String {
        let age = age(request, at: time)
        let role = request.roles.isEmpty ? "" : " as \(roles(request))"
        let asked = request.asksForScopes ? ": it asks for \(scopes(request.scopes))\(role)" : ""
        return "\(device(request)) waits for approval\(age == "-" ? "" : ", \(age)")\(asked)  (\(request.command))"
    }

    /// Returns the lines about all devices that wait, at most three.
    static func lines(_ approvals: [ApprovalFeed.Approval], at time: Int) -> [String] {
        lines(waiting: approvals.map { ($0.session.name, $0.request) }, at: time)
    }

    /// Returns the lines about all devices that wait, each at the gateway of a name.
    static func lines(waiting: [(gateway: String, request: DeviceRequest)], at time: Int) -> [String] {
        let shown = waiting.count > 3 ? 2 : 3
        let rest = waiting.count - shown
        let lines = waiting.prefix(shown).map { gateway, request in
            "! \(DisplayText(gateway, limit: 64))  \(self.waiting(request, at: time))"
        }
        return rest > 0 ? lines + ["! \(rest) more wait: clawradar approvals"] : lines
    }

    private static func gateway(_ approval: ApprovalFeed.Approval) -> String {
        DisplayText(approval.session.name, limit: 64).text
    }

    // MARK: Sentences

    /// Returns the line about a decision.
    static func line(_ decided: DecisionReport, at gateway: String) -> String {
        let request = decided.report.request
        let role = request.roles.isEmpty ? "with" : "as \(roles(request)) with"
        let line = "\(decided.decision.rawValue): \(device(request)) at \(gateway)"
        if let account = decided.account { return "\(line), in the account \(DisplayText(account, limit: 64))" }
        guard request.asksForScopes else { return line }
        return "\(line), \(role) \(scopes(request.scopes))"
    }

    /// The sentence that whoever decides nothing decides later.
    static let later =
        "to decide later, do nothing: each waits as long as its gateway keeps it, at OpenClaw 5 minutes, and is listed until then."

    private static func device(_ request: DeviceRequest) -> String {
        request.name.map { PromptLines.quoted($0, in: nameWidth) } ?? "a device without a name"
    }

    private static func scopes(_ scopes: [String]) -> String {
        scopes.isEmpty ? "no scope" : scopes.map(DeviceRequest.shown).joined(separator: ", ")
    }
}
