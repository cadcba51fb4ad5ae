package import GatewayProtocol
internal import NIOCore
internal import NIOWebSocket
internal import Synchronization

/// Asking a gateway: requests and pings, and their answers.
extension GatewayConversation {
    /// Sends a request, and waits for its answer, which may come after other answers and frames.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - params: Its parameters. They are only sent, and used for nothing else.
    ///   - timeout: The time to wait for the answer. A later answer is dropped.
    /// - Returns: The response: a failure that the gateway reports is one of its outcomes. Tokens in it are
    ///   ``/GatewayProtocol/JSONValue/secret(_:)``.
    /// - Throws: ``GatewayConnectionError`` `timedOut`, `cancelled`, `busy`, or the error with which the conversation
    ///   has ended.
    package func request(
        _ method: String,
        params: JSONValue? = nil,
        timeout: Duration = .seconds(10)
    ) async throws(GatewayConnectionError) -> GatewayResponse {
        let answer = try await ask(.request, timeout: timeout) { number in
            let request = GatewayRequest(id: "\(number)", method: method, params: params)
            return (.text, GatewayFrame.request(request).encoded)
        }
        guard let answer else { throw Self.ended(.left) }
        return answer
    }

    /// Pings the gateway, without getting in the way of any request.
    ///
    /// - Parameter timeout: The time to wait for the answer; `nil` waits until the conversation ends.
    /// - Returns: The time that the answer took.
    /// - Throws: ``GatewayConnectionError``, as ``request(_:params:timeout:)`` does.
    package func ping(timeout: Duration? = .seconds(5)) async throws(GatewayConnectionError) -> Duration {
        let start = ContinuousClock.now
        _ = try await ask(.ping, timeout: timeout) { (.ping, PendingQuestions.pingPayload($0)) }
        return .now - start
    }

    /// Sends a message of a dialect without frames, and waits for nothing.
    ///
    /// - Throws: ``GatewayConnectionError``, as ``request(_:params:timeout:)`` does where the request cannot be sent.
    package func say(_ message: JSONValue) throws(GatewayConnectionError) {
        if let end = shared.withLock({ $0.state.end }) { throw Self.ended(end) }
        // No question has this number.
        send(.text, message.encoded, 0)
    }

    private func ask(
        _ kind: PendingQuestions.Kind,
        timeout: Duration?,
        message: (Int) -> (WebSocketOpcode, [UInt8])
    ) async throws(GatewayConnectionError) -> GatewayResponse? {
        let answer = PendingValue<Answer>()
        let number = try begin(kind, answer)
        let (opcode, bytes) = message(number)
        let timer = timeout.map { timeout in
            channel.eventLoop.scheduleTask(in: TimeAmount(timeout)) {
                self.giveUp(number, self.timedOut(after: timeout))
            }
        }
        defer { timer?.cancel() }
        if !Task.isCancelled { send(opcode, bytes, number) }
        return try await withTaskCancellationHandler {
            await answer.get()
        } onCancel: {
            giveUp(number, Self.cancelled)
        }.get()
    }

    private func begin(
        _ kind: PendingQuestions.Kind,
        _ answer: PendingValue<Answer>
    ) throws(GatewayConnectionError) -> Int {
        let begun: Result<Int, ConversationState.Refusal> = shared.withLock { shared in
            do throws(ConversationState.Refusal) {
                let number = try shared.state.ask(kind)
                shared.answers[number] = answer
                return .success(number)
            } catch {
                return .failure(error)
            }
        }
        switch begun {
        case .success(let number): return number
        case .failure(.ended(let end)): throw Self.ended(end)
        case .failure(.tooMany):
            throw GatewayConnectionError(.busy, "expected fewer requests at once, found as many as may wait")
        case .failure(.tooMuchUnsent):
            throw GatewayConnectionError(.busy, "expected a gateway that takes what is sent, found one that does not")
        }
    }

    private func send(_ opcode: WebSocketOpcode, _ bytes: [UInt8], _ number: Int) {
        // The receiver only accepts pongs for pings that were recorded.
        if opcode == .ping { transcript.pinged() } else { transcript.spoke() }
        let count = bytes.count
        shared.withLock { $0.state.sending(count) }
        let data = ByteBuffer(bytes: bytes)
        // It may hold a secret, and was made for this alone.
        bytes.wipe()
        let frame = WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data)
        channel.writeAndFlush(frame).whenComplete { result in
            // What was sent is a masked copy, since this reference was kept.
            data.wipe()
            self.shared.withLock { $0.state.sending(-count) }
            // Where the channel is closed, the conversation ends with an error that says more than this one.
            if case .failure = result, self.channel.isActive {
                self.giveUp(number, GatewayConnectionError(.closed, "the request could not be sent"))
            }
        }
    }

    private func timedOut(after timeout: Duration) -> GatewayConnectionError {
        let isHeld = shared.withLock { !$0.state.hasRoom }
        let reason = isHeld ? "frames that nobody takes, and nothing read after them" : "none"
        return GatewayConnectionError(.timedOut, "expected an answer in \(timeout), found \(reason)")
    }

    private func giveUp(_ number: Int, _ error: GatewayConnectionError) {
        let answer = shared.withLock { shared in
            shared.state.giveUp(number) ? shared.answers.removeValue(forKey: number) : nil
        }
        answer?.settle(.failure(error))
    }
}
