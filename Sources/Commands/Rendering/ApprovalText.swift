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
    ///   - answers: The answers of the gateways.
    ///   - time: The time now, in milliseconds since 1970.
    ///   - width: The width of the terminal in cells; `nil` if nothing needs to be cut.
    static func table(_ answers: [AdminAnswer], at time: Int, width: Int?) -> String {
        let rows = answers.flatMap { answer in answer.requests.map { (admin: answer.admin, request: $0) } }
        guard !rows.isEmpty else { return "" }
        let ids = shownIDs(rows)
        let cells = zip(rows, ids).map { row, id in
            [
                id, row.request.name.map { PromptLines.quoted($0, in: nameWidth) } ?? "-", age(row.request, at: time),
                DisplayText(row.admin.pairing.name, limit: 64).text,
            ]
        }
        let table = TextTable(columns: columns(ids), rows: cells).lines(width: width)
        let lines = zip(table.dropFirst(), rows).flatMap { line, row -> [String] in
            let lacking = row.admin.scopesLacking(for: row.request)
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
    private static func shownIDs(_ rows: [(admin: AdminPairing, request: DeviceRequest)]) -> [String] {
        let beginnings = rows.reduce(into: [:]) { $0[$1.request.id.prefix(RequestName.shortest), default: 0] += 1 }
        return rows.map { admin, request in
            let short = request.id.prefix(RequestName.shortest)
            return beginnings[short] == 1 && !admin.needsWholeIdentifiers ? String(short) : request.id
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
    static func line(_ decided: ApprovalDesk.Decided) -> String {
        let request = decided.request
        let role = request.roles.isEmpty ? "with" : "as \(roles(request)) with"
        let line = "\(decided.decision.rawValue): \(device(request)) at \(decided.admin.pairing.label)"
        if let account = decided.account { return "\(line), in the account \(DisplayText(account, limit: 64))" }
        guard request.asksForScopes else { return line }
        return "\(line), \(role) \(scopes(request.scopes))"
    }

    /// The sentence that whoever decides nothing decides later.
    static let later =
        "to decide later, do nothing: each waits as long as its gateway keeps it, at OpenClaw 5 minutes, and is listed until then."

    /// Returns the sentence that a request goes beyond what this device can approve.
    static func refusal(_ request: DeviceRequest, at pairing: StoredPairing, _ lacking: [String]) -> String {
        "not approved: \(device(request)) needs the approval of a device with \(scopes(lacking)) at \(pairing.label), which "
            + "this device does not have. On its host: openclaw devices approve \(request.id)"
    }

    /// Returns the sentence that a gateway has no accounts, without a full stop.
    static func noAccounts(_ pairing: StoredPairing) -> String {
        "only the devices of a Clawline provider belong to accounts, and \(pairing.label) is none"
    }

    /// Returns the sentence that a decision was not carried out, or that it is not known whether it was.
    static func undecided(_ decision: DeviceDecision, by pairing: StoredPairing, _ problem: DecisionProblem) -> String {
        problem.code == .unknown
            ? "perhaps \(decision.rawValue) by \(pairing.label), which has not answered: \(problem). `clawradar approvals` "
                + "shows whether the device waits still."
            : "not \(decision.rawValue) by \(pairing.label): \(problem)."
    }

    /// Returns the sentence that another process has the only session with a gateway, and is no agent that could be
    /// asked, without a full stop.
    static func held(by holder: LockHolder?) -> String {
        "it allows one session, and \(holder.map { "\($0)" } ?? "another process") has it: end that, or let `clawradar agent` "
            + "have it, which is asked then"
    }

    /// Returns the sentence that a gateway has not answered, without a full stop.
    static func notAsked(_ pairing: StoredPairing, _ trouble: CallProblem) -> String {
        "\(pairing.label) could not be asked: \(trouble)"
    }

    private static func device(_ request: DeviceRequest) -> String {
        request.name.map { PromptLines.quoted($0, in: nameWidth) } ?? "a device without a name"
    }

    private static func scopes(_ scopes: [String]) -> String {
        scopes.isEmpty ? "no scope" : scopes.map(DeviceRequest.shown).joined(separator: ", ")
    }
}
