internal import DNSSD
public import GatewayProtocol
internal import NIOCore

/// Asks a known gateway again whether it answers, with the cheapest exchange of its dialect that needs the gateway's
/// process: a connection alone proves nothing, since the kernel of its host accepts one even while the process is
/// stopped.
///
/// | Dialect | Exchange |
/// |---|---|
/// | OptaPlus, OpenAgents | a WebSocket ping |
/// | OpenClaw | `GET /healthz`: the same answer as before, even if that is 404 or a page |
/// | Clawline | `GET /version` |
/// | Clawdbot bridge | the request `health` |
///
/// A gateway at a path of its server is asked below that path. An answer there that is no health reply may be that of
/// the front, which has a 404 of its own; then its very path is asked, which leads to the gateway or nowhere. That a
/// front reaches no gateway (502 to 504) is never an answer of the gateway.
///
/// Nothing secret is sent. A gateway with TLS must show the same certificate as before.
public struct LivenessCheck: Sendable {
    /// The time that a held connection lives before a new one replaces it.
    var lifetime = Duration.seconds(3_600)

    private let path: GatewayProbePath
    private let dialect: GatewayDialect
    private let signature: HTTPSignature?
    private let connecting: Duration?
    private let limits: ConnectionLimits

    /// Creates a check. Nothing is connected before ``ask()`` or ``hold(checks:answered:opened:)``.
    ///
    /// - Parameters:
    ///   - path: The path on which the gateway answered.
    ///   - dialect: The dialect that it speaks.
    ///   - signature: The signature of its previous HTTP answer; with `nil`, later answers are compared with the first
    ///     one.
    ///   - connecting: The time that connecting takes: ``/GatewayProtocol/GatewayProbeReport/connecting``.
    ///   - limits: The limits of each exchange. Those on bytes and frames count from one question to the next.
    public init(
        path: GatewayProbePath,
        dialect: GatewayDialect,
        signature: HTTPSignature? = nil,
        connecting: Duration? = nil,
        limits: ConnectionLimits = ConnectionLimits(connectionBytes: 65_536)
    ) {
        self.path = path
        self.dialect = dialect
        self.signature = signature
        self.connecting = connecting
        self.limits = limits
    }

    /// The time to wait for an answer, connecting included.
    public var answerTimeout: Duration { limits.duration(after: connecting ?? .zero) }

    /// Indicates whether ``hold(checks:answered:opened:)`` saves connections. OpenClaw and Clawline are asked over
    /// HTTP: the connection is reused while the server keeps it open, and it is no miss when the server closes it after
    /// an answer.
    public var canBeHeld: Bool { dialect != .bridge }

    /// Returns whether requests may be made over a connection that is held in this dialect; see ``HeldConnection``.
    /// OpenClaw and Clawline are asked over HTTP, and OpenAgents has no requests whose id the answer repeats.
    public static func takesRequests(_ dialect: GatewayDialect) -> Bool { dialect == .optaplus }

    private var transport: GatewayTransport { path.isTLS ? .tls(pin: path.leaf) : .plain }

    private var pages: GatewayPages { GatewayPages(path.endpoint) }

    /// The resource that is asked for over HTTP; `nil` where the exchange is not over HTTP.
    private var page: String? {
        switch dialect {
        case .openClaw: pages.health
        case .clawline: pages.version
        case .optaplus, .openAgents, .bridge: nil
        }
    }

    /// Asks once, over a connection of its own.
    public func ask() async -> LivenessCheckResult {
        await within(total: connecting == nil ? nil : answerTimeout) { dialer throws(GatewayConnectionError) in
            switch dialect {
            case .optaplus, .openAgents: try await ping(dialer)
            case .openClaw, .clawline: try await get(dialer)
            case .bridge: try await health(dialer)
            }
        }
    }

    /// Runs an exchange within a total time, or within the times of its steps where connecting has not been measured.
    private func within(
        total: Duration?,
        _ body: (Dialer) async throws(GatewayConnectionError) -> LivenessCheckResult
    ) async -> LivenessCheckResult {
        var limits = limits
        // One packet that happens to be fast does not make the whole path fast.
        limits.duration = answerTimeout
        do throws(GatewayConnectionError) {
            let end = total.map { ContinuousClock.now + $0 }
            return try await Dialer.run(limits: limits, until: end, log: StepLog()) { dialer in
                do throws(GatewayConnectionError) {
                    return try await body(dialer)
                } catch {
                    return LivenessCheckResult(error)
                }
            }
        } catch {
            return LivenessCheckResult(error)
        }
    }

    private func ping(_ dialer: Dialer) async throws(GatewayConnectionError) -> LivenessCheckResult {
        var connection = try await openWebSocket(dialer)
        let start = ContinuousClock.now
        try await connection.ping()
        while true {
            switch await connection.next() {
            case .pong:
                connection.close()
                return .answered(.now - start, nil)
            case .message: continue
            case .closed: return .closed
            case .failed(let error): return LivenessCheckResult(error)
            }
        }
    }

    private func openWebSocket(_ dialer: Dialer) async throws(GatewayConnectionError) -> WebSocketConnection {
        try await WebSocketConnection.open(
            [path.endpoint],
            transport: transport,
            dialer: dialer,
            // Messages are of interest here only while a request is made.
            wantsMessages: false
        )
    }

    private func get(_ dialer: Dialer) async throws(GatewayConnectionError) -> LivenessCheckResult {
        func reply(_ page: String) async throws(GatewayConnectionError) -> LivenessCheckResult? {
            let connection = try await HTTPConnection.open([path.endpoint], transport: transport, dialer: dialer)
            let start = ContinuousClock.now
            let reply = try await connection.get(page)
            return mayBeOfFront(reply, to: page) ? nil : judged(reply, since: start, before: signature)
        }
        if let result = try await reply(page ?? "/") { return result }
        return try await reply(pages.webSocket) ?? .different
    }

    /// Indicates whether an answer may be that of a front, whatever has become of the gateway: it is no health reply, and
    /// the path that was asked is not the gateway's own.
    private func mayBeOfFront(_ reply: HTTPReply, to page: String) -> Bool {
        !pages.isWholeServer && page != pages.webSocket && health(in: reply) == nil
    }

    private func health(in reply: HTTPReply) -> HealthReply? {
        let jsonLimits = JSONLimits(maximumBytes: limits.frameBytes, maximumDepth: limits.depth)
        return reply.status == 200 ? HealthReply(parsing: reply.body, limits: jsonLimits) : nil
    }

    /// Decides whether an answer comes from this gateway.
    private func judged(
        _ reply: HTTPReply,
        since start: ContinuousClock.Instant,
        before: HTTPSignature?
    ) -> LivenessCheckResult {
        guard !reply.isOfFrontAlone else { return .different }
        let answered = LivenessCheckResult.answered(.now - start, reply.signature)
        guard let before, before != reply.signature else { return answered }
        // The gateway may by now give a proper health reply, unlike before.
        switch (health(in: reply), dialect) {
        case (.openClaw, .openClaw), (.clawline, .clawline): return answered
        default: return .different
        }
    }

    private func health(_ dialer: Dialer) async throws(GatewayConnectionError) -> LivenessCheckResult {
        var inquiry = BridgeInquiry(limits: JSONLimits(maximumBytes: limits.frameBytes, maximumDepth: limits.depth))
        var connection = try await LineConnection.open([path.endpoint], transport: transport, dialer: dialer)
        let start = ContinuousClock.now
        try await connection.send(inquiry.question)
        switch await connection.next() {
        case .line(let line): return inquiry.isAnswered(by: line) ? .answered(.now - start, nil) : .different
        case .closed: return .closed
        case .failed(let error): return LivenessCheckResult(error)
        }
    }

    // MARK: A held connection

    /// Holds a connection, and asks over it for each check.
    ///
    /// Over a WebSocket it listens all the time: the first late answer shows that a process that was stopped is running
    /// again. Over HTTP it waits for each answer no longer than ``answerTimeout``.
    ///
    /// - Parameters:
    ///   - checks: The checks, each of which asks once. While a pong is due, further checks ask again.
    ///   - answered: Receives, for each answer, the time since the last question and, over HTTP, the signature of the
    ///     answer.
    ///   - opened: Receives the connection once it is open, in a dialect that ``takesRequests(_:)``.
    /// - Returns: The reason why it ended.
    public func hold(
        checks: AsyncStream<Void>,
        answered: @escaping @Sendable (Duration, HTTPSignature?) async -> Void,
        opened: @escaping @Sendable (HeldConnection) async -> Void = { _ in }
    ) async -> HeldConnectionEnd {
        let end: HeldConnectionEnd
        if dialect == .bridge {
            end = .notOpened(.different)
        } else if let page {
            end = await holdHTTP(page, checks, answered)
        } else {
            end = await holdWebSocket(checks, answered, opened)
        }
        return Task.isCancelled ? .letGo : end
    }

    private func holdWebSocket(
        _ checks: AsyncStream<Void>,
        _ answered: @escaping @Sendable (Duration, HTTPSignature?) async -> Void,
        _ opened: @escaping @Sendable (HeldConnection) async -> Void
    ) async -> HeldConnectionEnd {
        var end = HeldConnectionEnd.letGo
        let opening = await within(total: connecting == nil ? nil : answerTimeout) {
            dialer throws(GatewayConnectionError) in
            var connection = try await openWebSocket(dialer)
            dialer.scope.keep()
            dialer.scope.begin(lifetime)
            let held = Self.takesRequests(dialect) ? HeldConnection(over: connection, limits: limits) : nil
            if let held { await opened(held) }
            end = await Self.answer(checks, over: &connection, held, answered: answered)
            // This has no effect if the gateway has ended it, for a reason of its own.
            held?.end(GatewayConnectionError(.closed, "expected a connection that is held, found it let go"))
            return .answered(.zero, nil)
        }
        if case .answered = opening { return end }
        return .notOpened(opening)
    }

    private static func answer(
        _ checks: AsyncStream<Void>,
        over connection: inout WebSocketConnection,
        _ held: HeldConnection?,
        answered: @Sendable (Duration, HTTPSignature?) async -> Void
    ) async -> HeldConnectionEnd {
        let relay = connection.relay(checks)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { await relay() }
            defer { group.cancelAll() }
            var asked: ContinuousClock.Instant?
            while true {
                switch await connection.nextOrCheck() {
                case .letGo:
                    connection.close()
                    return .letGo
                case .check:
                    asked = .now
                    connection.restart()
                    connection.startPing()
                case .event(.pong):
                    if let asked { await answered(.now - asked, nil) }
                case .event(.closed(let close)):
                    held?.end(GatewayConnectionError(.closed, "the gateway hung up", close: close))
                    return .closed
                case .event(.failed(let error)):
                    let expectsAnswer = held?.expectsAnswer == true
                    // Here, `timedOut` is the end of the connection's lifetime; requests would take it for their own.
                    if error.code != .timedOut { held?.end(error) }
                    switch error.code {
                    // The answer was asked for: that it is too long does not make it a flood.
                    case .tooLong where expectsAnswer: return .letGo
                    case .flooded, .tooLong: return .flooded
                    // The lifetime of the connection is over.
                    case .timedOut: return .letGo
                    case .closed: return .closed
                    default: return .different
                    }
                case .event(.message(let text)): held?.receive(text)
                case .reminder: continue
                }
            }
        }
    }

    private func holdHTTP(
        _ page: String,
        _ checks: AsyncStream<Void>,
        _ answered: @escaping @Sendable (Duration, HTTPSignature?) async -> Void
    ) async -> HeldConnectionEnd {
        var page = page
        var checks = checks.makeAsyncIterator()
        guard await checks.next(isolation: #isolation) != nil else { return .letGo }
        var signature = signature
        var end: HeldConnectionEnd?
        while end == nil {
            // Each pass holds one connection. When that ends without an error, the next question goes over a new one.
            let opening = await within(total: connecting == nil ? nil : answerTimeout) {
                dialer throws(GatewayConnectionError) in
                let connection = try await HTTPConnection.open([path.endpoint], transport: transport, dialer: dialer)
                dialer.scope.keep()
                let expiry = ContinuousClock.now + lifetime
                var isReused = false
                while true {
                    let start = ContinuousClock.now
                    if isReused, start + answerTimeout >= expiry { return .answered(.zero, nil) }
                    dialer.scope.begin(answerTimeout)
                    let reply: HTTPReply
                    do throws(GatewayConnectionError) {
                        reply = try await connection.get(page, keepsAlive: true)
                    } catch {
                        // A server may close a kept connection just when it is asked: that is no miss, and the question
                        // is asked again.
                        if isReused, error.code != .timedOut, !connection.hasHeard { return .answered(.zero, nil) }
                        switch error.code {
                        case .timedOut: end = .silent
                        case .closed: end = .closed
                        case .flooded, .tooLong: end = .flooded
                        default: end = .different
                        }
                        return .answered(.zero, nil)
                    }
                    if mayBeOfFront(reply, to: page) {
                        page = pages.webSocket
                        return .answered(.zero, nil)
                    }
                    guard case .answered(let time, let found) = judged(reply, since: start, before: signature) else {
                        end = .different
                        return .different
                    }
                    signature = found
                    // The closure that receives the answer may take its time.
                    dialer.scope.begin(expiry - .now)
                    await answered(time, found)
                    guard await checks.next(isolation: #isolation) != nil else {
                        end = .letGo
                        return .answered(.zero, nil)
                    }
                    guard reply.keepsAlive else { return .answered(.zero, nil) }
                    isReused = true
                }
            }
            if end == nil, case .answered = opening { continue }
            end = end ?? .notOpened(opening)
        }
        return end ?? .letGo
    }
}
