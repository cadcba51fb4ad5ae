internal import Agent
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// The sessions that the agent of this user keeps, as it has told.
struct AgentSessions: Sendable {
    /// The words of the agent about the session with one gateway.
    struct Session: Sendable {
        /// The devices that wait there; `nil` where this device is told of none.
        let requests: [DeviceRequest]?

        /// The reason why there is no session, without a full stop; `nil` if there is one.
        let trouble: CallProblem?
    }

    /// The longest time that the agent has to carry out a decision.
    private static let time = Duration.seconds(12)

    /// The status by which it says that it does not know whether a gateway has carried out a decision.
    private static let unknown = 504

    private let sessions: [String: Session]

    /// Asks the agent of this user; returns `nil` if none runs, or it cannot be asked, which was said then.
    ///
    /// - Parameter time: The time that it has to answer.
    static func ask(within time: Duration) -> AgentSessions? {
        AgentOption.document("GET", "/api/v1/sessions", within: min(.seconds(5), time)).map(AgentSessions.init)
    }

    /// Reads the answer of an agent.
    init(_ json: JSONValue) {
        let all = (json["sessions"]?.array ?? []).compactMap { session in
            session["pairing"]?.string.map { ($0, Session(session)) }
        }
        sessions = Dictionary(all) { first, _ in first }
    }

    /// The session with the provider of a Clawline pairing; `nil` if the agent has nothing to do with it.
    subscript(admin: AdminPairing) -> Session? {
        admin.pairing.dialect == .clawline ? sessions["\(admin.pairing.id)"] : nil
    }

    /// Has the agent tell a provider of a decision; returns the account to which the device was attached.
    ///
    /// - Parameter time: The time that it has for that.
    func tell(
        _ admin: AdminPairing,
        _ decision: DeviceDecision,
        to account: ClawlineAccount?,
        about request: DeviceRequest,
        within time: Duration
    ) throws(CallProblem) -> String? {
        let path = decision == .approved ? "/api/v1/approve" : "/api/v1/reject"
        var members: [String: JSONValue] = [
            "pairing": .string("\(admin.pairing.id)"), "request": .string(request.id),
        ]
        members["user"] = account.map { .string("\($0)") }
        let body = JSONValue.object(members).encoded
        let answer: AgentAnswer
        do throws(AgentClientError) {
            answer = try AgentOption.client.ask("POST", path, body: body, within: min(Self.time, time))
        } catch {
            let rest = error == .silent ? ": nothing was asked" : ""
            throw CallProblem("\(error)\(rest)", mayHaveArrived: error.mayHaveAsked)
        }
        let document = answer.document
        guard answer.status != 200 else { return document?["user"]?.string }
        throw CallProblem(
            document?["detail"]?.string ?? "the agent answers with status \(answer.status)",
            mayHaveArrived: answer.status == Self.unknown
        )
    }
}

extension AgentSessions.Session {
    init(_ json: JSONValue) {
        let state = json["state"]?.string ?? "-"
        requests = json["requests"]?.array?.compactMap { DeviceRequest(report: $0) }
        trouble =
            state == "connected"
            ? nil : CallProblem("the agent has no session with it: \(json["reason"]?.string ?? "it is \(state)")")
    }
}
