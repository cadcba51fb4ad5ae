internal import DNSSD
public import GatewayProtocol
internal import Synchronization

/// Asks a gateway that is known again whether it answers, with the cheapest exchange of its dialect that needs the process
/// itself: a connection alone proves nothing, since the kernel of a host whose process is stopped still accepts it.
///
/// | Dialect | Exchange |
/// |---|---|
/// | design, OpenAgents | a WebSocket ping, over a connection that can be kept |
/// | OpenClaw | `GET /healthz`; it hangs up on those who stay without authentication |
/// | Clawline | `GET /version` |
/// | Clawdbot bridge | the request `health` |
///
/// Nothing secret is sent. A TLS gateway must show the certificate that it showed before.
public struct GatewayPulse: Sendable {
    /// How long a kept connection lives before a new one replaces it.
    private static let lifetime = Duration.seconds(3_600)

    private let path: GatewayProbePath
    private let dialect: GatewayDialect
    private let resource: String
    private let limits: ConnectionLimits

    /// - Parameters:
    ///   - path: The way on which it answered.
    ///   - dialect: How it speaks.
    ///   - resource: The path to upgrade on.
    ///   - limits: Of each exchange; the duration is how long an answer is waited for.
    public init(
        path: GatewayProbePath,
        dialect: GatewayDialect,
        resource: String = "/",
        limits: ConnectionLimits = ConnectionLimits()
    ) {
        self.path = path
        self.dialect = dialect
        self.resource = resource
        self.limits = limits
    }

    /// Whether ``hold(beats:answered:)`` can be used.
    public var canBeHeld: Bool { dialect == .design || dialect == .openAgents }

    private var transport: GatewayTransport { path.isTLS ? .tls(pin: path.leaf) : .plain }

    /// Asks once, over a connection of its own.
    ///
    /// - Returns: How long the answer took; `nil` when none came in time, or none that this gateway gives.
    public func ask() async -> Duration? {
        do {
            switch dialect {
            case .design, .openAgents: return try await ping()
            case .openClaw: return try await get("/healthz")
            case .clawline: return try await get("/version")
            case .bridge: return try await health()
            }
        } catch {
            return nil
        }
    }

    private func ping() async throws -> Duration? {
        try await WebSocketConnection.withConnection(
            to: [path.endpoint],
            transport: transport,
            resource: resource,
            limits: limits
        ) { connection in
            let start = ContinuousClock.now
            try await connection.ping()
            while true {
                switch await connection.next() {
                case .pong:
                    await connection.close()
                    return .now - start
                case .message: continue
                case .closed, .failed: return nil
                }
            }
        }
    }

    private func get(_ resource: String) async throws -> Duration? {
        let start = ContinuousClock.now
        let reply = try await HTTPQuestion.reply(to: resource, path.endpoint, transport: transport, limits: limits)
        guard reply.status == 200 else { return nil }
        let jsonLimits = JSONLimits(maximumBytes: limits.frameBytes, maximumDepth: limits.depth)
        switch (HealthReply(parsing: reply.body, limits: jsonLimits), dialect) {
        case (.openClaw, .openClaw), (.clawline, .clawline): return .now - start
        default: return nil
        }
    }

    private func health() async throws -> Duration? {
        let jsonLimits = JSONLimits(maximumBytes: limits.frameBytes, maximumDepth: limits.depth)
        return try await LineConnection.withConnection(to: [path.endpoint], transport: transport, limits: limits) {
            connection in
            let start = ContinuousClock.now
            try await connection.send(BridgeMessage.request(id: "1", method: "health", paramsJSON: nil).encoded)
            guard case .line(let line) = await connection.next() else { return nil }
            switch try BridgeMessage(parsing: line, limits: jsonLimits) {
            case .response(id: "1", outcome: _), .error: return .now - start
            default: return nil
            }
        }
    }

    /// Keeps one connection, and asks over it at each beat. It listens all the time: a process that was stopped and goes on
    /// is known to live with the first late answer.
    ///
    /// Returns when the connection is lost, does not come about in time, `beats` ends, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - beats: When to ask. While an answer is due, further beats ask again.
    ///   - answered: Gets how long each answer took since the last question.
    public func hold(
        beats: AsyncStream<Void>,
        answered: @escaping @Sendable (Duration) async -> Void
    ) async {
        let opening = Opening()
        var held = limits
        held.duration = Self.lifetime
        let (path, transport, resource, patience, heldLimits) = (path, transport, resource, limits.duration, held)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await WebSocketConnection.withConnection(
                    to: [path.endpoint],
                    transport: transport,
                    resource: resource,
                    limits: heldLimits
                ) { connection in
                    opening.isOver.withLock { $0 = true }
                    await Self.answer(beats, over: &connection, answered: answered)
                }
            }
            group.addTask {
                try? await Task.sleep(for: patience)
                // What has not come about in time never does; otherwise this has nothing more to do.
                while opening.isOver.withLock({ $0 }), !Task.isCancelled { try? await Task.sleep(for: Self.lifetime) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private static func answer(
        _ beats: AsyncStream<Void>,
        over connection: inout WebSocketConnection,
        answered: @Sendable (Duration) async -> Void
    ) async {
        let nudges = connection.nudges(at: beats)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await nudges() }
            defer { group.cancelAll() }
            var asked: ContinuousClock.Instant?
            while true {
                switch await connection.nextOrNudge() {
                case nil:
                    asked = .now
                    guard (try? await connection.ping()) != nil else { return }
                case .pong:
                    guard let question = asked else { continue }
                    await answered(.now - question)
                case .message: continue
                case .closed, .failed: return
                }
            }
        }
    }

    /// Whether a connection has come about.
    private final class Opening: Sendable {
        let isOver = Mutex(false)
    }
}
