internal import Agent
internal import DNSSD
internal import GatewayProtocol
internal import HostSystem
internal import Pairing
internal import Reports
internal import Scanning

/// Has the agent of this user carry out the operations, over its socket.
///
/// Each is asked for once. One that may have arrived is repeated neither by the agent nor in this process: a pairing would be
/// ended twice, or a decision be made about somebody else.
struct AgentRadar: Radar {
    private let client: AgentClient
    private let timeout: Duration

    /// - Parameter timeout: The longest time that an operation may take. The agent has shorter limits of its own for what a
    ///   gateway has to do.
    init(_ client: AgentClient, within timeout: Duration = .seconds(60)) {
        self.client = client
        self.timeout = timeout
    }

    func connect(_ pairing: PairingID, _ isWanted: Bool) async throws(RadarError) -> PairingDocument {
        try await change(isWanted ? "connect" : "disconnect", pairing)
    }

    func archive(
        _ bot: BotID,
        of pairing: PairingID,
        _ isArchived: Bool
    ) async throws(RadarError) -> PairingDocument {
        try await change("archive", pairing, ["bot": .string(bot.text), "archived": .bool(isArchived)])
    }

    func accent(_ bot: BotID, of pairing: PairingID, _ color: String?) async throws(RadarError) -> PairingDocument {
        try await change("accent", pairing, ["bot": .string(bot.text), "color": JSONValue(color)])
    }

    func forget(_ pairing: PairingID) async throws(RadarError) -> PairingDocument {
        try await change("forget", pairing)
    }

    func restore(_ pairing: PairingID) async throws(RadarError) -> PairingDocument {
        try await change("restore", pairing)
    }

    /// Ends a pairing. The agent sees for itself where the gateway is.
    func unpair(
        _ pairing: PairingID,
        bots: BotSelection,
        seenIn _: [Gateway]
    ) async throws(RadarError) -> PairingDocument {
        try await change("unpair", pairing, ["bots": bots.json])
    }

    func trust(
        _ trust: NewTrust,
        in pairing: PairingID,
        shown: TrustReport?
    ) async throws(RadarError) -> PairingDocument {
        let members: [String: JSONValue] =
            switch trust {
            case .leaf(let leaf, let place, let unseen):
                [
                    "leaf": .string(leaf.description), "address": JSONValue(place?.description),
                    "unseen": .bool(unseen),
                ]
            case .place(let extent, let address): ["trust": .string(extent.rawValue), "address": .string(address)]
            }
        return try await change("trust", pairing, members.merging(["shown": shown?.json ?? .null]) { $1 })
    }

    func approvals(at pairing: PairingID?, within limit: Duration) async throws(RadarError) -> ApprovalsReport {
        try await ask("POST", "approvals", ["pairing": JSONValue(pairing?.description)], within: limit)
    }

    func decide(
        _ request: RequestName,
        _ decision: DeviceDecision,
        to account: ClawlineAccount?,
        at pairing: PairingID?,
        within limit: Duration
    ) async throws(RadarError) -> DecisionReport {
        let members: [String: JSONValue] = [
            "pairing": JSONValue(pairing?.description), "request": .string(request.text),
            "user": JSONValue(account?.description),
        ]
        return try await ask("POST", decision == .approved ? "approve" : "reject", members, within: limit)
    }

    func call(
        _ method: String,
        _ params: JSONValue,
        at pairing: PairingID,
        within limit: Duration
    ) async throws(RadarError) -> CallReport {
        let members: [String: JSONValue] = [
            "pairing": .string("\(pairing)"), "method": .string(method), "params": params,
        ]
        return try await ask("POST", "call", members, within: limit)
    }

    func diagnose(
        _ gateway: String,
        typed name: String?,
        within limit: Duration
    ) async throws(RadarError) -> DiagnosisReport {
        try await ask("POST", "diagnose", ["gateway": .string(gateway), "typed": JSONValue(name)], within: limit)
    }

    func device(name: String?, emoji: String??) async throws(RadarError) -> DeviceReport {
        var members: [String: JSONValue] = [:]
        members["name"] = name.map(JSONValue.string)
        members["emoji"] = emoji.map { .string($0 ?? "") }
        return try await ask(members.isEmpty ? "GET" : "POST", "device", members)
    }

    /// Gives a gateway a name, with all that tells it from others: it may be one that the agent does not look for.
    func alias(_ alias: GatewayAlias) async throws(RadarError) -> AliasesReport {
        let members: [String: JSONValue] = [
            "name": .string(alias.name), "fingerprint": JSONValue(bytes: alias.fingerprint?.bytes),
            "leafSha256": JSONValue(alias.leaf?.description),
        ]
        return try await name(alias, members)
    }

    func removeAlias(_ alias: GatewayAlias) async throws(RadarError) -> AliasesReport {
        try await name(alias, ["remove": true])
    }

    func mute(_ gateway: String, for milliseconds: Int?) async throws(RadarError) -> MutesReport {
        var members: [String: JSONValue] = ["gateway": .string(gateway)]
        if let milliseconds {
            members["durationMs"] = .number(JSONNumber(milliseconds))
        } else {
            members["remove"] = true
        }
        return try await ask("POST", "mute", members)
    }

    func link(to pairing: PairingID, opening access: MadeSetupCode.Access) async throws(RadarError) -> LinkReport {
        let members: [String: JSONValue] = ["pairing": .string("\(pairing)"), "access": .string(access.rawValue)]
        return try await ask("POST", "link", members)
    }

    func history(since start: Timestamp, of gateway: String?) async throws(RadarError) -> GatewayHistoryReport {
        let key = gateway.map { "&gateway=" + PercentEncoding.encoded($0.utf8) } ?? ""
        return try await ask("GET", "history?since=\(PercentEncoding.encoded(start.description.utf8))\(key)")
    }

    func mutes() async throws(RadarError) -> MutesReport {
        try await ask("GET", "mute")
    }

    private func name(
        _ alias: GatewayAlias,
        _ more: [String: JSONValue]
    ) async throws(RadarError) -> AliasesReport {
        let members = more.merging(["gateway": .string(alias.gatewayID)]) { $1 }
        return try await ask("POST", "alias", members)
    }

    // MARK: Asking

    private func change(
        _ name: String,
        _ pairing: PairingID,
        _ more: [String: JSONValue] = [:]
    ) async throws(RadarError) -> PairingDocument {
        let members = more.merging(["pairing": .string("\(pairing)")]) { $1 }
        return try await ask("POST", name, members) { document throws(RecordingProblem) in
            try PairingDocument(document, of: pairing)
        }
    }

    /// Asks for one operation, and waits for its report.
    private func ask<Report: ReadableReport>(
        _ method: String,
        _ name: String,
        _ members: [String: JSONValue] = [:],
        within limit: Duration? = nil
    ) async throws(RadarError) -> Report {
        try await ask(method, name, members, within: limit) { document throws(RecordingProblem) in
            try Report(document)
        }
    }

    /// Asks for one operation, and waits for its document on a thread of its own: asking blocks it.
    ///
    /// - Parameter limit: The time that gateways have to answer; `nil` where the operation has its own.
    private func ask<Document: Sendable>(
        _ method: String,
        _ name: String,
        _ members: [String: JSONValue],
        within limit: Duration? = nil,
        _ read: (JSONValue) throws(RecordingProblem) -> Document
    ) async throws(RadarError) -> Document {
        let milliseconds = limit.map { min(max($0.wholeMilliseconds, 100), 600_000) }
        var members = members
        if let milliseconds { members["timeoutMs"] = .number(JSONNumber(milliseconds)) }
        let body = method == "GET" ? [] : JSONValue.object(members).encoded
        let timeout = milliseconds.map { Duration.milliseconds($0) + .seconds(2) } ?? timeout
        let answer: AgentAnswer
        do {
            answer = try await LoopThread.run(name: "agent") { [client] in
                try client.ask(method, "/api/v1/\(name)", body: body, within: timeout)
            }
        } catch let error as AgentClientError {
            throw error.mayHaveAsked
                ? Self.unknown("\(error)") : RadarError(.unavailable, "\(error), and nothing was changed")
        } catch {
            throw RadarError(.unavailable, "the agent was not asked: \(error)")
        }
        let document = answer.document
        guard answer.status == 200 else { throw Self.error(document, status: answer.status) }
        do throws(RecordingProblem) {
            return try read(document ?? .null)
        } catch {
            throw RadarError(.unknown, "the agent has carried this out, but its answer cannot be read: \(error)")
        }
    }

    /// Returns the error that a problem of the API tells: that of the operation, or one of a request that was not understood.
    static func error(_ problem: JSONValue?, status: Int) -> RadarError {
        let detail = problem?["detail"]?.string ?? "status \(status)"
        if let code = problem?["code"]?.string.flatMap(RadarError.Code.init) { return RadarError(code, detail) }
        // Of what it refuses, it has begun nothing.
        let isRefused = (400..<500).contains(status) || status == 503
        return isRefused
            ? RadarError(.unavailable, "the agent refuses: \(detail)") : unknown("the agent has failed: \(detail)")
    }

    private static func unknown(_ reason: String) -> RadarError {
        RadarError(.unknown, "\(reason). It is not known whether this was carried out")
    }
}
