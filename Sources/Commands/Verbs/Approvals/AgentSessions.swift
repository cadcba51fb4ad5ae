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
