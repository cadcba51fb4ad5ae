package import GatewayProtocol

/// Asks a known gateway again whether it answers, with the cheapest exchange of its dialect that needs the gateway's
/// process: a connection alone proves nothing, since the kernel of its host accepts one even while the process is
/// stopped.
///
/// | Dialect | Exchange |
/// |---|---|
/// | OptaPlus, OpenAgents | a WebSocket ping |
/// | OpenClaw | `GET /healthz`: the same answer as before, even if that is 404 or a page; the first such one counts only if the gateway opens a WebSocket, too |
/// | Clawline | `GET /version` |
/// | Clawdbot bridge | the request `health` |
///
/// A gateway at a path of its server is asked below that path. An answer there that is no health reply may be that of
/// the front, which has a 404 of its own; then its very path is asked, which leads to the gateway or nowhere. That a
/// front reaches no gateway (502 to 504) is never an answer of the gateway.
///
/// Nothing secret is sent. A gateway with TLS must show the same certificate as before.
package struct LivenessCheck: Sendable {
    /// The time that a held connection lives before a new one replaces it.
    package var lifetime = Duration.seconds(3_600)

    let path: GatewayProbePath
    let dialect: GatewayDialect
    let signature: HTTPSignature?
    let connecting: Duration?
    let limits: ConnectionLimits

    /// Creates a check. Nothing is connected before ``ask()`` or ``hold(checks:answered:)``.
    ///
    /// - Parameters:
    ///   - path: The path on which the gateway answered.
    ///   - dialect: The dialect that it speaks.
    ///   - signature: The signature of its previous HTTP answer; with `nil`, later answers are compared with the first
    ///     one.
    ///   - connecting: The time that connecting takes: ``/GatewayProtocol/GatewayProbeReport/connecting``.
    ///   - limits: The limits of each exchange. Those on bytes and frames count from one question to the next.
    package init(
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
    package var answerTimeout: Duration { limits.duration(after: connecting ?? .zero) }

    /// Indicates whether ``hold(checks:answered:)`` saves connections. OpenClaw and Clawline are asked over
    /// HTTP: the connection is reused while the server keeps it open, and it is no miss when the server closes it after
    /// an answer.
    package var canBeHeld: Bool { question.isHTTP }

    var transport: GatewayTransport { path.isTLS ? .tls(pin: path.leaf) : .plain }

    var pages: GatewayPages { GatewayPages(path.endpoint) }

    /// The question that is asked. Of a gateway that is known, a ping is enough where a probe says something over the
    /// WebSocket.
    var question: ProbeQuestion { .cheapest(for: dialect, at: pages) }

    /// Asks once, over a connection of its own.
    package func ask() async -> LivenessCheckResult {
        await within(total: connecting == nil ? nil : answerTimeout) { dialer throws(GatewayConnectionError) in
            switch question {
            case .webSocket, .openAgentsHello: try await ping(dialer)
            case .http(let page): try await get(page, dialer)
            case .bridgeHealth: try await health(dialer)
            }
        }
    }

    /// Runs an exchange within a total time, or within the times of its steps where connecting has not been measured.
    func within(
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

    func openWebSocket(_ dialer: Dialer) async throws(GatewayConnectionError) -> WebSocketConnection {
        try await WebSocketConnection.open(
            [path.endpoint],
            transport: transport,
            dialer: dialer,
            wantsMessages: false
        )
    }

    private func get(_ page: String, _ dialer: Dialer) async throws(GatewayConnectionError) -> LivenessCheckResult {
        func reply(_ page: String) async throws(GatewayConnectionError) -> LivenessCheckResult? {
            let connection = try await HTTPConnection.open([path.endpoint], transport: transport, dialer: dialer)
            let start = ContinuousClock.now
            let reply = try await connection.get(page)
            guard !mayBeOfFront(reply, to: page) else { return nil }
            let result = judged(reply, since: start, before: signature)
            return await objection(to: reply, before: signature) ?? result
        }
        if let result = try await reply(page) { return result }
        return try await reply(pages.webSocket) ?? .different
    }

    /// Indicates whether an answer may be that of a front, whatever has become of the gateway: it is no health reply, and
    /// the path that was asked is not the gateway's own.
    func mayBeOfFront(_ reply: HTTPReply, to page: String) -> Bool {
        !pages.isWholeServer && page != pages.webSocket && health(in: reply) == nil
    }

    /// Confirms, with a WebSocket, that the gateway is there whose first answer over HTTP is no health reply: a front that
    /// no longer leads to it, or not yet, has answers of its own, which must not become what is expected from now on.
    ///
    /// - Returns: The result of the attempt if the gateway has not opened one; `nil` if the answer counts.
    func objection(to reply: HTTPReply, before: HTTPSignature?) async -> LivenessCheckResult? {
        guard dialect == .openClaw, before == nil, !reply.isOfFrontAlone, health(in: reply) == nil else { return nil }
        let result = await within(total: answerTimeout) { dialer throws(GatewayConnectionError) in
            try await openWebSocket(dialer).close()
            return .answered(.zero, nil)
        }
        if case .answered = result { return nil }
        return result
    }

    private func health(in reply: HTTPReply) -> HealthReply? {
        let jsonLimits = JSONLimits(maximumBytes: limits.frameBytes, maximumDepth: limits.depth)
        return reply.status == 200 ? HealthReply(parsing: reply.body, limits: jsonLimits) : nil
    }

    /// Decides whether an answer comes from this gateway.
    func judged(
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
}
