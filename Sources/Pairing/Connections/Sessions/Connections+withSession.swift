extension Connections {
    /// Runs a closure with the live session of a credential, once there is one.
    ///
    /// When the session ends, the requests and events of the closure throw the reason. Call this again for the session
    /// that follows.
    ///
    /// ## Usage
    ///
    ///     try await connections.withSession(of: credential) { session in
    ///         let answer = try await session.request("gateway.discover", params: .object([:]))
    ///         print(try answer.outcome.get() ?? .null)
    ///         for try await event in session.events { print(event.name) }
    ///     }
    ///
    /// - Parameters:
    ///   - credential: The credential: ``SessionSnapshot/id``, or one of a stored pairing.
    ///   - limit: The time to wait for a session; `nil` to wait until there is one.
    ///   - body: Receives the session.
    /// - Returns: The result of the closure.
    /// - Throws: ``SessionEnd``, `CancellationError`, or an error that the closure throws.
    public nonisolated func withSession<Value>(
        of credential: CredentialID,
        within limit: Duration? = nil,
        _ body: (GatewaySession) async throws -> Value
    ) async throws -> Value {
        guard let limit else { return try await body(try await session(of: credential)) }
        let found = try await withThrowingTaskGroup(of: GatewaySession?.self) { group in
            group.addTask { try await self.session(of: credential) }
            group.addTask { [environment] in
                await environment.sleep(until: environment.clock.now + limit)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
        try Task.checkCancellation()
        guard let found else {
            let reason = await sessions.first { $0.id == credential }?.reason
            throw SessionEnd(.lost, "expected a session in \(limit), found none: \(reason ?? "it is not there yet")")
        }
        return try await body(found)
    }

    /// Waits for the session of a credential.
    private func session(of credential: CredentialID) async throws -> GatewaySession {
        for await _ in events {
            if let live = kept[credential]?.live, let session = kept[credential]?.running[live.attempt]?.session {
                return session
            }
            if work.hasEnded { throw SessionEnd.ofRun }
        }
        throw CancellationError()
    }
}
