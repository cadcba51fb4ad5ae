package import DNSSD
package import GatewayProtocol

extension GatewayConversation {
    /// Connects to the first endpoint that answers, upgrades where the dialect speaks over a WebSocket, runs the
    /// closure, and closes.
    ///
    /// No redirect is followed, no name is resolved, and no `Origin` is sent. With a pin or a host name in the
    /// transport, nothing at all is sent to a peer that does not show the right certificate.
    ///
    /// - Parameters:
    ///   - endpoints: The addresses of one gateway, tried as in RFC 8305. The caller decides which are allowed: see
    ///     ``/GatewayProtocol/TargetRules``.
    ///   - transport: With TLS or without, and which certificate is required.
    ///   - limits: The limits on what is received, and on how long connecting and the handshakes may take; the closure
    ///     may take any time.
    ///   - dialect: The dialect that is spoken. In one without frames, each message is an event, named by its type, and
    ///     requests get no answers.
    /// - Throws: ``GatewayConnectionError`` when there is no connection, or the error that the closure throws.
    package static func withConversation<Value: Sendable>(
        to endpoints: [Endpoint],
        transport: GatewayTransport = .plain,
        limits: ConnectionLimits = .session,
        speaking dialect: GatewayDialect = .optaplus,
        _ body: (GatewayConversation) async throws -> Value
    ) async throws -> Value {
        try await Dialer.run(limits: limits) { dialer in
            try await converse(endpoints, transport: transport, dialer: dialer, speaking: dialect, body)
        }
    }

    /// Connects and reads in a child task, and runs the closure in the current one.
    static func converse<Value: Sendable>(
        _ endpoints: [Endpoint],
        transport: GatewayTransport,
        dialer: Dialer,
        speaking dialect: GatewayDialect = .optaplus,
        _ body: (GatewayConversation) async throws -> Value
    ) async throws -> Value {
        let opened = PendingValue<Result<GatewayConversation, GatewayConnectionError>>()
        let result: Result<Value, any Error> = await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                do throws(GatewayConnectionError) {
                    var connection = try await WebSocketConnection.open(
                        endpoints,
                        transport: transport,
                        dialer: dialer,
                        speaking: dialect
                    )
                    dialer.scope.rest()
                    // A gateway that has upgraded is no stranger, and what follows may hold tokens.
                    connection.transcript.forgetFirstBytes()
                    let conversation = GatewayConversation(over: connection, limits: dialer.limits, speaking: dialect)
                    opened.settle(.success(conversation))
                    await conversation.read(from: &connection)
                } catch {
                    opened.settle(.failure(error))
                }
            }
            do {
                let conversation = try await opened.get().get()
                defer {
                    // A peer that reads nothing does not take the close frame either, so this step needs a time limit.
                    dialer.scope.begin(dialer.limits.duration)
                    conversation.close()
                }
                return .success(try await body(conversation))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
