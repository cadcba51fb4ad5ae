internal import Agent
internal import Console
internal import GatewayProtocol
internal import Pairing
internal import Reports

extension RequestName {
    /// Reads what was typed.
    init(argument text: String) throws(ArgumentProblem) {
        guard let name = RequestName(text) else {
            throw ArgumentProblem("An identifier of a request is as `clawradar approvals` shows it.")
        }
        self = name
    }

    /// Returns those requests of an answer that it means.
    func matches(_ answer: AdminAnswer) -> [DeviceRequest] {
        matches(answer.requests, in: answer.admin.pairing.dialect)
    }
}

extension ApprovalDesk {
    /// A request that was decided, and the gateway at which.
    struct Decided: Sendable {
        let decision: DeviceDecision
        let admin: AdminPairing
        let request: DeviceRequest

        /// The account of a Clawline provider to which the device was attached.
        var account: String?
    }

    /// Finds a request, and decides it.
    ///
    /// - Parameter account: The account of a Clawline provider to which the device is attached; `nil` for that of this
    ///   device.
    func decide(
        _ name: RequestName,
        _ decision: DeviceDecision,
        to account: ClawlineAccount? = nil,
        _ connections: Connections
    ) async throws(CommandFailure) -> Decided {
        let choosers = admins.count { $0.needsWholeIdentifiers }
        let answers = await answers(connections) { answers in
            // Where devices choose their identifiers, another gateway can have one that waits under the same.
            answers.contains { !name.matches($0).isEmpty }
                && answers.count { $0.admin.needsWholeIdentifiers } == choosers
        }
        let (admin, request) = try Self.request(name, among: answers)
        let user: String?
        do throws(DecisionProblem) {
            user = try await tell(admin, decision, to: account, about: request, connections)
        } catch {
            throw CommandFailure(error, decision, about: request, at: admin)
        }
        return Decided(decision: decision, admin: admin, request: request, account: user)
    }

    /// Tells a gateway of a decision, over the session of the agent where only one is allowed; returns the account to which
    /// the device was attached.
    private func tell(
        _ admin: AdminPairing,
        _ decision: DeviceDecision,
        to account: ClawlineAccount?,
        about request: DeviceRequest,
        _ connections: Connections
    ) async throws(DecisionProblem) -> String? {
        if agent?[admin] != nil { return try await tellByAgent(admin, decision, to: account, about: request) }
        let session: GatewaySession
        do throws(CallProblem) {
            session = try await unlessHindered(admin, connections) { await answer(of: admin, connections) { $0 } }
            guard left > .zero else { throw Self.late }
        } catch {
            throw DecisionProblem(error)
        }
        return try await connections.decide(decision, about: request, to: account, over: session, within: left).account
    }

    /// The longest time that the agent has to carry out a decision.
    private static let agentTimeout = Duration.seconds(12)

    private func tellByAgent(
        _ admin: AdminPairing,
        _ decision: DeviceDecision,
        to account: ClawlineAccount?,
        about request: DeviceRequest
    ) async throws(DecisionProblem) -> String? {
        guard let name = RequestName(request.id) else {
            throw DecisionProblem(code: .notWaiting, description: "expected a device that waits, found no such one")
        }
        let radar = AgentRadar(AgentOption.client, within: min(Self.agentTimeout, left))
        do throws(RadarError) {
            return try await radar.decide(name, decision, to: account, at: admin.pairing.id).account
        } catch {
            let code: DecisionProblem.Code = error.code == .unknown ? .unknown : .notReached
            throw DecisionProblem(code: code, description: error.description)
        }
    }

    /// Returns the only request that is meant by an identifier.
    static func request(
        _ name: RequestName,
        among answers: [AdminAnswer]
    ) throws(CommandFailure) -> (AdminPairing, DeviceRequest) {
        let found = answers.flatMap { answer in name.matches(answer).map { (answer.admin, $0) } }
        guard let first = found.first else {
            let troubles = answers.compactMap { answer in
                answer.trouble.map { " \(ApprovalText.notAsked(answer.admin.pairing, $0))." }
            }
            let reason =
                answers.allSatisfy { name.beginnings($0.requests).isEmpty }
                ? "no device waits as \(name.text). `clawradar approvals` shows those that do."
                : "expected the whole identifier of a request, found \(name.text): at a Clawline provider devices choose "
                    + "theirs, and another one can begin alike. `clawradar approvals` shows the whole."
            throw CommandFailure(.nothingFound, reason + troubles.joined())
        }
        guard found.count == 1 else {
            let list = found.prefix(8).map { "\($0.1.id) at \($0.0.pairing.label)" }.joined(separator: ", ")
            throw CommandFailure(.usage, "\(name.text) can be \(list). Give more of it, or --gateway.")
        }
        return first
    }
}

extension CommandFailure {
    /// Makes a failure from the problem of a decision.
    fileprivate init(
        _ problem: DecisionProblem,
        _ decision: DeviceDecision,
        about request: DeviceRequest,
        at admin: AdminPairing
    ) {
        if problem == .noAccounts {
            self.init(.usage, "\(ApprovalText.noAccounts(admin.pairing)): leave --user out.")
        } else if problem.code == .beyondOurScopes {
            let lacking = admin.scopesLacking(for: request)
            self.init(.nothingFound, ApprovalText.refusal(request, at: admin.pairing, lacking))
        } else {
            self.init(.nothingFound, ApprovalText.undecided(decision, by: admin.pairing, problem))
        }
    }
}
