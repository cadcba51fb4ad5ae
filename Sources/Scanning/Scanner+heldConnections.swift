internal import Constellation
public import DNSSD
public import GatewayClient
internal import GatewayProtocol

/// Requests over the connections that are held for liveness checks.
extension Scanner {
    /// Runs a closure with the connection that is held to a gateway, so that the gateway can be asked something without
    /// another socket. The liveness checks go on over the same connection.
    ///
    /// The connection is anonymous: send nothing secret over it, and trust nothing that is received. While the closure
    /// runs, the scanner does not close it when there are more gateways than ``ScannerConfiguration/heldConnections``.
    /// It still ends when the gateway hangs up, floods or misses a check, when another of its addresses or another path
    /// is checked instead, when a session with the gateway begins, when it reaches the lifetime of a held connection, and
    /// with ``run()``. Waiting and later requests then fail, with the reason.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint at which the gateway answers.
    ///   - timeout: The time to wait for a connection. The first liveness check opens one.
    ///   - body: Receives the connection. Once that has ended, every request over it fails.
    /// - Returns: The result of the closure.
    /// - Throws: ``/GatewayClient/GatewayConnectionError`` `notHeld` when no connection is held, `noRequests` when the
    ///   gateway speaks another dialect than OptaPlus, `flooded` when it has recently sent too much, or `cancelled`; or
    ///   the error that the closure throws.
    public nonisolated func withHeldConnection<Value>(
        to endpoint: Endpoint,
        timeout: Duration = .seconds(5),
        _ body: (HeldConnection) async throws -> Value
    ) async throws -> Value {
        let (connection, number) = try await beginUse(of: endpoint, timeout: timeout)
        do {
            let value = try await body(connection)
            await endUse(of: endpoint, number: number)
            return value
        } catch {
            await endUse(of: endpoint, number: number)
            throw error
        }
    }

    /// Stores an open connection over which requests may be made.
    func opened(_ connection: HeldConnection, at endpoint: Endpoint, number: Int) {
        guard held[endpoint]?.number == number else { return }
        held[endpoint]?.connection = connection
        // Callers may be waiting for it.
        wake?.yield()
    }

    private func beginUse(
        of endpoint: Endpoint,
        timeout: Duration
    ) async throws(GatewayConnectionError) -> (HeldConnection, number: Int) {
        _ = await waits(until: clock.now + timeout) { scanner in
            scanner.held[endpoint]?.connection != nil || scanner.obstacle(at: endpoint) != nil
        }
        if Task.isCancelled { throw GatewayConnectionError(.cancelled, "the task was cancelled") }
        guard let check = held[endpoint], let connection = check.connection else {
            throw obstacle(at: endpoint) ?? .notHeld("found none in \(timeout)")
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

    /// Returns the reason why waiting for a connection is useless; `nil` if there is none.
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
        guard known.floodedUntil == nil, known.holdsAgain.map({ $0.time <= clock.now }) ?? true else {
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
