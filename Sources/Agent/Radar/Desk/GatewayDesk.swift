internal import DNSSD
internal import GatewayProtocol
internal import Pairing
internal import Reports

/// Questions of this device to paired gateways, over the sessions that are kept, and those that come about in time.
///
/// A session is waited for only until something is known that stands against it.
struct GatewayDesk: Sendable {
    let connections: Connections

    /// The time at which all of it has to be over, however many questions it takes.
    let end: ContinuousClock.Instant

    init(_ connections: Connections, within limit: Duration) {
        self.connections = connections
        end = .now + limit
    }

    /// The time that a gateway has still to answer.
    private var left: Duration { max(.zero, end - .now) }

    /// The trouble where the session has taken all of the time.
    private static let late = CallProblem("it has taken all of the time, so that nothing was asked")

    /// Sends a request to a gateway, and returns its answer, which may be that it refuses.
    func call(
        _ method: String,
        _ params: JSONValue,
        at pairing: StoredPairing
    ) async throws(CallProblem) -> GatewayResponse {
        try await session(with: pairing).call(method, params, within: left)
    }

    /// Tells a gateway of a decision.
    func decide(
        _ decision: DeviceDecision,
        about request: DeviceRequest,
        to account: ClawlineAccount?,
        at pairing: StoredPairing
    ) async throws(DecisionProblem) -> MadeDecision {
        let session: GatewaySession
        do throws(CallProblem) {
            session = try await self.session(with: pairing)
        } catch {
            throw DecisionProblem(error)
        }
        return try await connections.decide(decision, about: request, to: account, over: session, within: left)
    }

    // MARK: The devices that wait

    /// Asks gateways which devices wait, and waits until each has answered, or had its time.
    ///
    /// - Parameters:
    ///   - name: The name of the only request that is looked for; `nil` for all.
    ///   - isEnough: Returns `true` for answers that suffice: the others are not waited for then.
    func answers(
        of pairings: [StoredPairing],
        naming name: RequestName? = nil,
        until isEnough: ([DeskAnswer]) -> Bool = { _ in false }
    ) async -> [DeskAnswer] {
        await withTaskGroup(of: (Int, DeskAnswer).self) { group in
            for (index, pairing) in pairings.enumerated() {
                group.addTask {
                    do throws(CallProblem) {
                        let list = try await waiting(at: pairing, naming: name)
                        return (index, DeskAnswer(pairing: pairing, outcome: .success(list)))
                    } catch {
                        return (index, DeskAnswer(pairing: pairing, outcome: .failure(error)))
                    }
                }
            }
            var answers: [(Int, DeskAnswer)] = []
            for await answer in group {
                answers.append(answer)
                if isEnough(answers.map(\.1)) { group.cancelAll() }
            }
            return answers.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func waiting(
        at pairing: StoredPairing,
        naming name: RequestName?
    ) async throws(CallProblem) -> DeviceRequestList {
        if let name {
            // Whatever is shown was told in a session that is kept.
            let known = await connections.sessions.filter { $0.pairing == pairing.id }.flatMap { $0.requests ?? [] }
            if !name.matches(known, in: pairing.dialect).isEmpty { return DeviceRequestList(requests: known) }
        }
        let session = try await session(with: pairing)
        do {
            guard pairing.dialect != .clawline else {
                let told = try await connections.devicesTold(to: session.credential, within: left)
                guard let told else { throw CallProblem.toldOfNone }
                return DeviceRequestList(requests: told)
            }
            let (payload, nodes) = try await Self.lists(within: left) {
                try await session.request($0, params: .object([:]), timeout: $1)
            }
            return try DeviceRequestList(json: payload).adding(nodes.flatMap { try? DeviceRequestList(json: $0) })
        } catch let error as GatewayMessageError {
            throw CallProblem("expected a list of devices, found another answer: \(error.message)")
        } catch {
            throw error as? CallProblem ?? CallProblem(error)
        }
    }

    /// The time that a gateway has to list its nodes: not every one does, or to everybody, and some say nothing to that.
    private static let nodesTimeout = Duration.seconds(2)

    /// Asks for both lists side by side, so that they take the time of one.
    ///
    /// - Parameters:
    ///   - time: The time that is left.
    ///   - request: Sends a request, which has some time to be answered.
    /// - Returns: The devices, and the nodes; `nil` for those if the gateway does not list them.
    static func lists(
        within time: Duration,
        _ request: @Sendable (String, Duration) async throws -> GatewayResponse
    ) async throws -> (devices: JSONValue?, nodes: JSONValue?) {
        guard time > .zero else { throw late }
        async let nodes = try? request("node.pair.list", min(nodesTimeout, time))
        let devices = try payload(try await request("device.pair.list", time))
        return (devices, await nodes.flatMap { try? payload($0) })
    }

    /// Returns the payload of an answer; throws what a gateway says that refuses.
    private static func payload(_ response: GatewayResponse) throws(CallProblem) -> JSONValue? {
        try response.outcome.mapError { CallProblem(refusal: $0) }.get()
    }

    // MARK: The session

    /// Returns the session with a gateway, or throws why there is none as soon as that is known.
    private func session(with pairing: StoredPairing) async throws(CallProblem) -> GatewaySession {
        guard let credential = (pairing.adminCredential ?? pairing.credentials.first)?.id else {
            throw CallProblem("it has given this device no token")
        }
        guard pairing.connectsAutomatically else {
            throw CallProblem("it was disconnected: `clawradar connect \(pairing.shortID)` undoes that")
        }
        let result = await withTaskGroup(of: Result<GatewaySession, CallProblem>?.self) { group in
            group.addTask {
                do {
                    return .success(try await connections.withSession(of: credential, within: left) { $0 })
                } catch {
                    return .failure(CallProblem((error as? SessionEnd)?.message ?? "it was not asked to the end"))
                }
            }
            group.addTask { await obstacle(to: credential).map(Result.failure) }
            defer { group.cancelAll() }
            for await result in group {
                if let result { return result }
            }
            return .failure(CallProblem("it was not asked to the end"))
        }
        let session = try result.get()
        guard left > .zero else { throw Self.late }
        return session
    }

    /// Waits until it is known why there is no session; returns `nil` if the task is cancelled before.
    private func obstacle(to credential: CredentialID) async -> CallProblem? {
        for await event in connections.events {
            let sessions: [SessionSnapshot] =
                switch event {
                case .snapshot(let sessions): sessions
                case .changed(let session): [session]
                case .removed: []
                }
            let own = sessions.first { $0.id == credential }
            if case .held(let holder)? = own?.detail { return CallProblem(heldBy: holder) }
            guard let own, own.detail.isTelling, !own.detail.isConnected else { continue }
            return CallProblem(own.reason ?? "there is no session with it")
        }
        return nil
    }
}

/// The answer of a gateway to an admin who asked which devices wait.
struct DeskAnswer: Sendable {
    let pairing: StoredPairing
    let outcome: Result<DeviceRequestList, CallProblem>

    var requests: [DeviceRequest] { (try? outcome.get())?.requests ?? [] }

    /// The sentence that it has not answered, without a full stop; `nil` if it has.
    var trouble: String? {
        guard case .failure(let trouble) = outcome else { return nil }
        return "\(pairing.label) could not be asked: \(trouble)"
    }
}

extension RequestName {
    /// Returns those requests of an answer that it means.
    func matches(_ answer: DeskAnswer) -> [DeviceRequest] { matches(answer.requests, in: answer.pairing.dialect) }
}

extension CallProblem {
    /// The trouble of a device that a Clawline provider tells nothing.
    static let toldOfNone = CallProblem(
        "it tells this device of none that waits: only the first device that is paired there is an admin"
    )

    /// Makes the problem of a gateway that refuses a request.
    init(refusal failure: GatewayFailure) {
        let text = failure.message.isEmpty ? failure.code : failure.message
        self.init("it refuses: \(DisplayText(text, limit: 128))")
    }

    /// Makes the problem of the only session with a gateway that another process has, and no agent that could be asked.
    init(heldBy holder: LockHolder?) {
        self.init(
            "it allows one session, and \(holder.map { "\($0)" } ?? "another process") has it: end that, or let "
                + "`clawradar agent` have it, which is asked then"
        )
    }
}

extension SessionState {
    /// Indicates whether the state says why there is a session, or none.
    var isTelling: Bool {
        switch self {
        case .connected, .moved, .changedLeaf, .uncertified, .deferred, .refused, .revoked, .failed, .held: true
        case .stopped, .queued, .idle, .waiting, .connecting, .authenticating: false
        }
    }
}
