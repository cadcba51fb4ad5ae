package import GatewayProtocol

/// Waiting for one message in the dialects without frames.
extension GatewayConversation {
    /// Waits for a message that is wanted, and skips a few others before it.
    ///
    /// - Parameters:
    ///   - timeout: The time to wait for it.
    ///   - most: The most other messages that may come before it.
    ///   - read: Reads a message; it returns `nil` for one that is skipped.
    /// - Throws: ``GatewayConnectionError`` `timedOut`, `cancelled`, or the one with which the conversation has ended.
    package func message<Message: Sendable>(
        within timeout: Duration,
        skipping most: Int,
        _ read: @escaping @Sendable (JSONValue) -> Message?
    ) async throws(GatewayConnectionError) -> Message {
        typealias Found = Result<Message, GatewayConnectionError>
        let found = await withTaskGroup(of: Found?.self) { tasks in
            tasks.addTask { await self.nextMessage(skipping: most, read) }
            tasks.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            let first = await tasks.next() ?? nil
            tasks.cancelAll()
            return first
        }
        if let found { return try found.get() }
        if Task.isCancelled { throw Self.cancelled }
        throw GatewayConnectionError(.timedOut, "expected a result in \(timeout), found none")
    }

    private func nextMessage<Message: Sendable>(
        skipping most: Int,
        _ read: @Sendable (JSONValue) -> Message?
    ) async -> Result<Message, GatewayConnectionError> {
        do throws(GatewayConnectionError) {
            for _ in 0...most {
                guard let frame = try await nextFrame() else {
                    if Task.isCancelled { throw Self.cancelled }
                    throw GatewayConnectionError(.closed, "expected a result, found the end of the connection")
                }
                guard case .event(let event) = frame, let json = event.payload, let message = read(json) else {
                    continue
                }
                return .success(message)
            }
            throw GatewayConnectionError(.notUnderstood, "expected a result, found other messages")
        } catch {
            return .failure(error)
        }
    }
}
