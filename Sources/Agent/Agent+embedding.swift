public import Pairing

/// Speaking with paired gateways over the sessions of the agent.
extension Agent {
    /// Runs a closure with the live session of a credential, once there is one: that which the agent keeps, since a gateway
    /// has one session with each credential.
    ///
    /// When the session ends, the requests and events of the closure throw the reason. Call this again for the session
    /// that follows.
    ///
    /// ## Usage
    ///
    /// ```swift
    /// for pairing in try agent.store?.pairings() ?? [] {
    ///     for credential in pairing.credentials {
    ///         try await agent.withSession(of: credential.id, within: .seconds(10)) { session in
    ///             print(try await session.request("gateway.discover").outcome.get() ?? .null)
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - credential: The credential: one of a pairing in the ``store``.
    ///   - limit: The time to wait for a session; `nil` to wait until there is one.
    ///   - body: Receives the session.
    /// - Returns: The result of the closure.
    /// - Throws: `SessionEnd`, with the code `stopped` once the agent has ended, or when its store is opened anew meanwhile, and
    ///   `lost` if the store is not open within the limit; `CancellationError`, or an error that the closure throws.
    public func withSession<Value>(
        of credential: CredentialID,
        within limit: Duration? = nil,
        _ body: (GatewaySession) async throws -> Value
    ) async throws -> Value {
        let deadline = limit.map { ContinuousClock.now + $0 }
        let connections = try await sessionsPart.connections(until: deadline)
        let left = deadline.map { max(.zero, $0 - .now) }
        return try await connections.withSession(of: credential, within: left, body)
    }
}
