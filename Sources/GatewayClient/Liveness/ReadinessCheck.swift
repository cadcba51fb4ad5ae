package import GatewayProtocol

/// Asks an OpenClaw gateway whether it can do its work, with `GET /readyz` and, for what that does not say, `GET /startupz`.
///
/// That it cannot is believed only where `GET /healthz` shows at the same time that an OpenClaw gateway answers at the
/// pages of its path: a front has a 503 of its own. Everything else is no answer to this question, such as 403 for those
/// who have not authenticated, or the 404 and the pages of older gateways.
///
/// Nothing secret is sent. A gateway with TLS must show the same certificate as before.
package struct ReadinessCheck: Sendable {
    /// The maximum number of connections that a check opens: one for each of its questions.
    package static let mostConnections = 3

    /// The result of a check.
    package enum Result: Hashable, Sendable {
        /// The gateway said this.
        case said(Readiness)
        /// It answered, and did not say it.
        case unsaid
        /// It did not answer.
        case silent
    }

    private let path: GatewayProbePath
    private let connecting: Duration?
    private let limits: ConnectionLimits

    /// Creates a check. Nothing is connected before ``ask()``.
    ///
    /// - Parameters:
    ///   - path: The path on which the gateway answered.
    ///   - connecting: The time that connecting takes: ``/GatewayProtocol/GatewayProbeReport/connecting``.
    ///   - limits: The limits of the whole check.
    package init(
        path: GatewayProbePath,
        connecting: Duration? = nil,
        limits: ConnectionLimits = ConnectionLimits(frameBytes: 8_192, connectionBytes: 32_768)
    ) {
        self.path = path
        self.connecting = connecting
        self.limits = limits
    }

    private var pages: GatewayPages { GatewayPages(path.endpoint) }
    private var jsonLimits: JSONLimits { JSONLimits(maximumBytes: limits.frameBytes, maximumDepth: limits.depth) }

    /// Asks.
    ///
    /// - Parameter deadline: The time at which the result must be there, if that is before the time of a check is over.
    /// - Returns: The result, and the number of connections that it took.
    package func ask(deadline: ContinuousClock.Instant? = nil) async -> (result: Result, connections: Int) {
        var limits = limits
        limits.duration = limits.duration(after: connecting ?? .zero)
        let end = ContinuousClock.now + limits.duration * Self.mostConnections
        var connections = 0
        do throws(GatewayConnectionError) {
            return try await Dialer.run(limits: limits, until: min(end, deadline ?? end), log: StepLog()) { dialer in
                var found: Result
                do throws(GatewayConnectionError) {
                    found = try await ask(dialer, &connections)
                } catch {
                    found = .silent
                }
                return (found, connections)
            }
        } catch {
            return (.silent, connections)
        }
    }

    private func ask(_ dialer: Dialer, _ connections: inout Int) async throws(GatewayConnectionError) -> Result {
        let reply = try await get(pages.readiness, dialer, &connections)
        let readiness = Readiness(status: reply.status, readiness: reply.body, limits: jsonLimits)
        if readiness == .ready { return .said(.ready) }
        // Who fails without a reason may be starting; and one that does not say whether it is ready may say so of this.
        var found = readiness
        if readiness == nil || readiness == .failing([]) {
            let reply = try await get(pages.startup, dialer, &connections)
            found = Readiness(status: reply.status, startup: reply.body, limits: jsonLimits) ?? readiness
        }
        guard let found else { return .unsaid }
        let health = try await get(pages.health, dialer, &connections)
        guard health.status == 200, HealthReply(parsing: health.body, limits: jsonLimits) == .openClaw else {
            return .unsaid
        }
        return .said(found)
    }

    private func get(
        _ page: String,
        _ dialer: Dialer,
        _ connections: inout Int
    ) async throws(GatewayConnectionError) -> HTTPReply {
        connections += 1
        let transport: GatewayTransport = path.isTLS ? .tls(pin: path.leaf) : .plain
        let connection = try await HTTPConnection.open([path.endpoint], transport: transport, dialer: dialer)
        return try await connection.get(page)
    }
}
