internal import GatewayProtocol

/// Checks over a connection that is held.
extension LivenessCheck {
    /// Holds a connection, and asks over it for each check.
    ///
    /// Over a WebSocket it listens all the time: the first late answer shows that a process that was stopped is running
    /// again. Over HTTP it waits for each answer no longer than ``answerTimeout``.
    ///
    /// - Parameters:
    ///   - checks: The checks, each of which asks once. While a pong is due, further checks ask again.
    ///   - answered: Receives, for each answer, the time since the last question and, over HTTP, the signature of the
    ///     answer.
    /// - Returns: The reason why it ended.
    package func hold(
        checks: AsyncStream<Void>,
        answered: @escaping @Sendable (Duration, HTTPSignature?) async -> Void
    ) async -> HeldConnectionEnd {
        let end: HeldConnectionEnd =
            switch question {
            case .webSocket, .openAgentsHello: await holdWebSocket(checks, answered)
            case .http(let page): await holdHTTP(page, checks, answered)
            case .bridgeHealth: .notOpened(.different)
            }
        return Task.isCancelled ? .letGo : end
    }

    private func holdWebSocket(
        _ checks: AsyncStream<Void>,
        _ answered: @escaping @Sendable (Duration, HTTPSignature?) async -> Void
    ) async -> HeldConnectionEnd {
        var end = HeldConnectionEnd.letGo
        let opening = await within(total: connecting == nil ? nil : answerTimeout) {
            dialer throws(GatewayConnectionError) in
            var connection = try await openWebSocket(dialer)
            dialer.scope.keep()
            dialer.scope.begin(lifetime)
            let ask = connection.ask(for: checks)
            end = await withTaskGroup(of: Bool.self) { group in
                group.addTask { await ask() }
                let end = await Self.listen(to: &connection, answered: answered)
                group.cancelAll()
                // It has hung up itself if all questions were asked.
                return await group.next() == true ? .letGo : end
            }
            return .answered(.zero, nil)
        }
        if case .answered = opening { return end }
        return .notOpened(opening)
    }

    private static func listen(
        to connection: inout WebSocketConnection,
        answered: @Sendable (Duration, HTTPSignature?) async -> Void
    ) async -> HeldConnectionEnd {
        while true {
            switch await connection.next() {
            case .pong:
                if let time = connection.timeSinceQuestion { await answered(time, nil) }
            case .message:
                continue
            case .closed:
                return .closed
            case .failed(let error):
                switch error.code {
                case .flooded, .tooLong: return .flooded
                // The lifetime of the connection is over.
                case .timedOut: return .letGo
                case .closed: return .closed
                default: return .different
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
                    if signature == nil {
                        dialer.scope.begin(expiry - .now)
                        if let result = await objection(to: reply, before: nil) {
                            end = .notOpened(result)
                            return result
                        }
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
