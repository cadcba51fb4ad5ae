internal import Console
internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports
internal import Scanning

/// The rows of tables from the JSON of an agent: the same as from the rows of a map.
extension GatewayRow {
    /// Makes the row of a gateway.
    ///
    /// - Parameter report: The gateway, as `GatewayReport` writes it.
    init(report: JSONValue) {
        let liveness = report["liveness"]?.string.flatMap(Liveness.init(rawValue:))
        let bots = report["bots"]?.array ?? []
        let isPaired = bots.contains { $0["isPaired"]?.bool == true }
        let floods = report["livenessReason"]?.string == "floods"
        let path = ReportedPath.shown(of: report)
        let words = (report["flags"]?.array ?? []).compactMap(\.string)
        let flags = Set(words.compactMap(GatewayFlag.init(rawValue:)))
        let shown = bots.prefix(Self.shownBots).map { Self.text(bot: $0, flags, liveness) }
        let rest = (report["botCount"]?.int ?? bots.count) - shown.count
        let isNotReady = liveness == .answering && report["readiness"]?.string == "notReady"
        let remark = isNotReady ? report["readinessReason"]?.string.map { "not ready: \(DisplayText($0))" } : nil
        let problems = (report["problems"]?.array ?? []).compactMap {
            $0.string.map { DisplayText($0, limit: 160).text }
        }
        let found = FoundRemark(report: report).map { DisplayText($0.description, limit: 160).text }
        let remarks = [remark, found].compactMap(\.self) + flags.sorted().map(\.text) + problems
        self.init(
            name: DisplayText(report["name"]?.string ?? "", limit: 64).text,
            state: isNotReady
                ? "answering, not ready"
                : floods ? "suspect: floods" : liveness?.text ?? (isPaired ? PairedState.gone.rawValue : Self.absent),
            liveness: liveness,
            time: report["latencyMs"].flatMap(\.milliseconds).map(TimeText.milliseconds) ?? Self.absent,
            dialect: report["dialect"]?.string ?? Self.absent,
            address: path.map { $0.hasLeaf ? "\($0.endpoint) TLS" : $0.endpoint } ?? Self.absent,
            fingerprint: report["fingerprint"]?.bytes.flatMap { GatewayFingerprint(bytes: $0) }
                .map { DisplayText("\($0)", limit: 64).text } ?? Self.absent,
            bots: rest > 0 ? shown + ["and \(rest) more"] : shown,
            remarks: Array(remarks.prefix(Self.shownRemarks))
        )
    }

    private static func text(bot: JSONValue, _ flags: Set<GatewayFlag>, _ liveness: Liveness?) -> String {
        let state = bot["state"]?.string.flatMap(BotState.init(rawValue:)) ?? .discovered
        let isPaired = bot["isPaired"]?.bool == true
        return text(
            name: bot["name"]?.string ?? "",
            emoji: bot["emoji"]?.string,
            status: bot["status"]?.string,
            state: state,
            isPaired ? PairedState(flags: flags, liveness: liveness, bot: state) : nil
        )
    }
}

extension BotTableRow {
    /// Makes the row of a bot.
    ///
    /// - Parameters:
    ///   - report: The bot, as `BotAtGatewayReport` writes it.
    ///   - gateway: Its gateway, as `GatewayReport` writes it.
    ///   - pairing: The pairing with its gateway; `nil` if there is none.
    init(report: JSONValue, at gateway: JSONValue?, _ pairing: StoredPairing?) {
        let botState = report["state"]?.string.flatMap(BotState.init(rawValue:)) ?? .discovered
        let liveness = gateway?["liveness"]?.string.flatMap(Liveness.init(rawValue:))
        let flags = (gateway?["flags"]?.array ?? []).compactMap { $0.string.flatMap(GatewayFlag.init(rawValue:)) }
        let isPaired = report["isPaired"]?.bool == true
        // Its last round-trip time says nothing of one that is gone.
        let isGone = gateway?["paths"]?.array?.first?["liveness"]?.string == Liveness.gone.rawValue
        self.init(
            name: report["name"]?.string ?? "",
            emoji: report["emoji"]?.string,
            gateway: report["gatewayName"]?.string ?? "",
            state: isPaired ? PairedState(flags: Set(flags), liveness: liveness, bot: botState) : nil,
            botState: botState,
            trust: isPaired ? pairing?.trust : nil,
            path: gateway.flatMap(ReportedPath.shown)?.endpoint,
            roundTrip: isGone ? nil : report["latencyMs"].flatMap(\.milliseconds),
            isHere: liveness == .answering,
            lastSeen: report["lastSeen"]?.string.flatMap(Timestamp.init)
        )
    }
}

extension OtherRow {
    /// Makes the row of something that is no gateway.
    ///
    /// - Parameter report: The thing, as `OtherReport` writes it.
    init(report: JSONValue) {
        let types = Set((report["services"]?.array ?? []).compactMap { $0["type"]?.string })
        self.init(
            name: DisplayText(report["name"]?.string ?? "", limit: 64).text,
            address: ReportedPath.shown(of: report)?.endpoint ?? Self.absent,
            type: types.isEmpty ? Self.absent : types.sorted().joined(separator: ", "),
            reason: report["reason"]?.string ?? ""
        )
    }
}

/// A path in the JSON of a row.
private struct ReportedPath {
    let endpoint: String
    let hasLeaf: Bool
    private let isAlive: Bool

    private init(_ report: JSONValue) {
        endpoint = report["endpoint"]?.string ?? ""
        hasLeaf = report["leafSha256"] != nil
        let liveness = report["liveness"]?.string.flatMap(Liveness.init(rawValue:))
        isAlive =
            report["contradicts"]?.bool != true && report["hearsay"]?.bool != true && liveness?.isAlive == true
            && report["finding"]?.string == "gateway"
    }

    /// Returns the path of a row to show: as `Gateway.shownPath`.
    static func shown(of row: JSONValue) -> ReportedPath? {
        let paths = (row["paths"]?.array ?? []).map(ReportedPath.init)
        return paths.first(where: \.isAlive) ?? paths.first
    }
}

extension JSONValue {
    /// The number of milliseconds as a duration, to the microsecond.
    fileprivate var milliseconds: Duration? {
        guard case .number(let number) = self, let value = number.double, value < 1e12 else { return nil }
        return .microseconds(Int((value * 1_000).rounded()))
    }
}
