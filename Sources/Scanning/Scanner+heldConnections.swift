internal import Constellation
public import DNSSD
public import GatewayClient
internal import GatewayProtocol

/// Requests of others over the connections that are held for liveness checks.
extension Scanner {
    /// Runs a closure with the connection that is held to a gateway, so that it can be asked something without another
    /// socket. The liveness checks go on over it.
    ///
    /// The connection is anonymous: send nothing secret over it, and trust nothing that comes. While the closure runs, the
    /// scanner does not let go of it for want of ``ScannerConfiguration/heldConnections``. It ends all the same when the
    /// gateway hangs up or floods, when a session begins there, when it is as old as a held connection may be, and with
    /// ``run()``. Each request that waits then, and each one after, gets an error with the reason.
    ///
    /// - Parameters:
    ///   - endpoint: Where the gateway answers.
    ///   - patience: How long is waited for the connection: one is opened with the first liveness check.
    ///   - body: Gets the connection, which is of no use after it has ended.
    /// - Returns: What the closure returns.
    /// - Throws: ``/GatewayClient/GatewayConnectionError`` `notHeld` when no connection is held, `noRequests` when the gateway
    ///   speaks another dialect than OptaPlus, `flooded` when it has sent too much of late, `cancelled`; or what the closure
    ///   throws.
    public nonisolated func withHeldConnection<Value>(
        to endpoint: Endpoint,
        patience: Duration = .seconds(5),
        _ body: (HeldConnection) async throws -> Value
    ) async throws -> Value {
        let (connection, number) = try await beginUse(of: endpoint, patience: patience)
        do {
            let value = try await body(connection)
            await endUse(of: endpoint, number: number)
            return value
        } catch {
            await endUse(of: endpoint, number: number)
            throw error
        }
    }

    /// Takes a connection in over which requests may be made.
    func opened(_ connection: HeldConnection, at endpoint: Endpoint, number: Int) {
        guard held[endpoint]?.number == number else { return }
        held[endpoint]?.connection = connection
        // For those who wait for it.
        wake?.yield()
    }

    private func beginUse(
        of endpoint: Endpoint,
        patience: Duration
    ) async throws(GatewayConnectionError) -> (HeldConnection, number: Int) {
        _ = await waits(until: clock.now + patience) { scanner in
            scanner.held[endpoint]?.connection != nil || scanner.obstacle(at: endpoint) != nil
        }
        if Task.isCancelled { throw GatewayConnectionError(.cancelled, "the task was cancelled") }
        guard let check = held[endpoint], let connection = check.connection else {
            throw obstacle(at: endpoint) ?? .notHeld("found none in \(patience)")
        }
        held[endpoint]?.users += 1
        state.noteUse(true, ofConnectionTo: endpoint)
        return (connection, check.number)
    }

    private func endUse(of endpoint: Endpoint, number: Int) {
        guard let check = held[endpoint], check.number == number else { return }
        held[endpoint]?.users = check.users - 1
        if check.users == 1 { state.noteUse(false, ofConnectionTo: endpoint) }
    }

    /// The reason why nothing is to be waited for.
    private func obstacle(at endpoint: Endpoint) -> GatewayConnectionError? {
        guard isRunning else { return .notHeld("found a scanner that does not run") }
        guard state.configuration.watches, state.configuration.probes, state.configuration.heldConnections > 0 else {
            return .notHeld("found a scanner that holds none")
        }
        guard !state.sessions.contains(endpoint) else { return .notHeld("found a session with the gateway") }
        guard let known = state.endpoints[endpoint] else { return nil }
        if let dialect = known.answer?.identity.dialect, !LivenessCheck.takesRequests(dialect) {
            return GatewayConnectionError(
                .noRequests,
                "expected a dialect in which requests may be made without a session, found \(dialect.rawValue)"
            )
        }
        guard known.floodedUntil == nil else {
            return GatewayConnectionError(.flooded, "expected a gateway that is quiet, found one that sent too much")
        }
        return nil
    }
}

extension GatewayConnectionError {
    fileprivate static func notHeld(_ found: String) -> GatewayConnectionError {
        GatewayConnectionError(.notHeld, "expected a connection that is held, \(found)")
    }
}
