internal import Console
internal import DNSSD
internal import GatewayClient
internal import GatewayProtocol
internal import Logging
internal import Pairing
internal import Reports
internal import Scanning

/// The sessions in which this device, as an admin of gateways, asks which other devices wait, and decides about them.
///
/// They are opened for a moment, beside those that the agent or `clawradar connect` may have. A Clawline provider ends one
/// for the other: there the agent is asked to use its own, and one is opened only where nobody has it. Whether a gateway may
/// have the token is decided as for every session.
struct ApprovalDesk: Sendable {
    /// The time for which a gateway is sought only where it was last, before the network is looked at.
    private static let knownPlaces = Duration.seconds(1)

    let store: PairingStore
    let admins: [AdminPairing]
    let constellation: Constellation
    let logger: Logger?

    /// The time that a gateway has to answer.
    let limit: Duration

    /// The time at which all of it has to be over, however many questions it takes; `nil` where each has the ``limit``.
    var end: ContinuousClock.Instant?

    /// The time that a gateway has still to answer.
    var left: Duration { end.map { max(.zero, $0 - .now) } ?? limit }

    /// The agent of this user; `nil` where none is asked.
    var agent: AgentSessions?

    /// Runs a closure with the sessions.
    ///
    /// - Parameter scanner: Finds gateways that have moved; `nil` to try only where they were last.
    func run<Value: Sendable>(
        _ scanner: GatewayScanner?,
        _ body: @escaping @Sendable (Connections) async throws -> Value
    ) async throws -> Value {
        var configuration = ConnectionsConfiguration(
            clientVersion: CommandLineTool.version,
            only: Set(admins.filter { agent?[$0] == nil }.map(\.pairing.id))
        )
        configuration.isBesideOthers = true
        let connections = Connections(
            store: store,
            constellation: constellation,
            configuration: configuration,
            logger: logger
        )
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await connections.run()
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: Self.knownPlaces)
                // Without a network that can be scanned, gateways can still be where they were.
                if !Task.isCancelled { try? await scanner?.run() }
                return nil
            }
            group.addTask {
                await Signals.waitForEnd()
                if !Task.isCancelled { throw CommandFailure(.cancelled, "cancelled.") }
                return nil
            }
            group.addTask { try await body(connections) }
            defer { group.cancelAll() }
            for try await value in group {
                if let value { return value }
            }
            throw CommandFailure(.ourFault, "the sessions have ended by themselves")
        }
    }

    // MARK: Asking

    /// Asks the gateways which devices wait, and waits until each has answered, or had its time.
    ///
    /// - Parameter isEnough: Returns `true` for answers that suffice: the others are not waited for then.
    func answers(
        _ connections: Connections,
        until isEnough: ([AdminAnswer]) -> Bool = { _ in false }
    ) async -> [AdminAnswer] {
        await withTaskGroup(of: (Int, AdminAnswer).self) { group in
            for (index, admin) in admins.enumerated() {
                group.addTask { (index, AdminAnswer(admin: admin, outcome: await list(of: admin, connections))) }
            }
            var answers: [(Int, AdminAnswer)] = []
            for await answer in group {
                answers.append(answer)
                if isEnough(answers.map(\.1)) { group.cancelAll() }
            }
            return answers.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func list(
        of admin: AdminPairing,
        _ connections: Connections
    ) async -> Result<DeviceRequestList, CallProblem> {
        do throws(CallProblem) {
            if admin.pairing.dialect == .clawline { return .success(try await told(to: admin, connections)) }
            let (payload, nodes) = try await unlessHindered(admin, connections) {
                await answer(of: admin, connections) { session in
                    try await Self.lists(within: left) {
                        try await session.request($0, params: .object([:]), timeout: $1)
                    }
                }
            }
            do throws(GatewayMessageError) {
                let devices = try DeviceRequestList(json: payload)
                return .success(devices.adding(nodes.flatMap { try? DeviceRequestList(json: $0) }))
            } catch {
                throw CallProblem("expected a list of devices, found another answer: \(error.message)")
            }
        } catch {
            return .failure(error)
        }
    }

    /// Sends a request to a gateway, and returns the payload of its answer.
    ///
    /// - Parameter share: The part of the time that is left which it may take.
    func ask(
        _ method: String,
        _ params: JSONValue,
        of admin: AdminPairing,
        _ connections: Connections,
        share: Double = 1
    ) async throws(CallProblem) -> JSONValue? {
        try await unlessHindered(admin, connections) {
            await response(method, params, of: admin, connections, share: share).flatMap { response in
                Result { () throws(CallProblem) in try Self.payload(response) }
            }
        }
    }

    /// Sends a request to a gateway, and returns its answer, which may be that it refuses.
    ///
    /// - Parameter share: The part of the time that is left which it may take.
    func response(
        _ method: String,
        _ params: JSONValue,
        of admin: AdminPairing,
        _ connections: Connections,
        share: Double = 1
    ) async -> Result<GatewayResponse, CallProblem> {
        await answer(of: admin, connections) { session in
            let time = left * share
            guard time > .zero else { throw Self.late }
            do {
                return try await session.request(method, params: params, timeout: time)
            } catch let error as GatewayConnectionError where error.code == .timedOut {
                throw CallProblem(error.message, mayHaveArrived: true)
            }
        }
    }

    /// The trouble where the session has taken all of the time.
    static let late = CallProblem("it has taken all of the time, so that nothing was asked")

    /// Returns the payload of an answer; throws what a gateway says that refuses.
    private static func payload(_ response: GatewayResponse) throws(CallProblem) -> JSONValue? {
        try response.outcome.mapError { failure in
            let text = failure.message.isEmpty ? failure.code : failure.message
            return CallProblem("it refuses: \(DisplayText(text, limit: 128))")
        }
        .get()
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

    /// Returns what a closure finds in a session, or throws why there is none as soon as that is known.
    func unlessHindered<Value: Sendable>(
        _ admin: AdminPairing,
        _ connections: Connections,
        _ body: @escaping @Sendable () async -> Result<Value, CallProblem>
    ) async throws(CallProblem) -> Value {
        guard admin.pairing.connectsAutomatically else {
            throw CallProblem("it was disconnected: `clawradar connect \(admin.pairing.shortID)` undoes that")
        }
        let result = await withTaskGroup(of: Result<Value, CallProblem>?.self) { group in
            group.addTask { await body() }
            group.addTask { await Self.obstacle(to: admin, connections).map(Result.failure) }
            defer { group.cancelAll() }
            for await result in group {
                if let result { return result }
            }
            return .failure(CallProblem("it was not asked to the end"))
        }
        return try result.get()
    }

    /// Returns the answer of a gateway in a session with it.
    func answer<Value: Sendable>(
        of admin: AdminPairing,
        _ connections: Connections,
        _ body: (GatewaySession) async throws -> Value
    ) async -> Result<Value, CallProblem> {
        do {
            return .success(try await connections.withSession(of: admin.credential.id, within: left, body))
        } catch let trouble as CallProblem {
            return .failure(trouble)
        } catch let end as SessionEnd {
            return .failure(CallProblem(end.message))
        } catch let error as GatewayConnectionError {
            return .failure(CallProblem(error.message))
        } catch {
            return .failure(CallProblem("it was not asked to the end"))
        }
    }

    /// Waits until it is known why there is no session; returns `nil` if the task is cancelled before.
    private static func obstacle(to admin: AdminPairing, _ connections: Connections) async -> CallProblem? {
        for await event in connections.events {
            let sessions: [SessionSnapshot] =
                switch event {
                case .snapshot(let sessions): sessions
                case .changed(let session): [session]
                case .removed: []
                }
            let own = sessions.first { $0.id == admin.credential.id }
            if case .held(let holder)? = own?.state { return CallProblem(ApprovalText.held(by: holder)) }
            guard let own, own.state.isTelling, !own.state.isConnected else { continue }
            return CallProblem(own.reason ?? "there is no session with it")
        }
        return nil
    }
}
