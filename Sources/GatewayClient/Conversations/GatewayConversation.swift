package import GatewayProtocol
internal import NIOCore
internal import NIOWebSocket
internal import Synchronization

/// A conversation with a gateway, over a WebSocket or in lines, that may go on for days: requests with their answers, and
/// the frames that the gateway sends of its own accord, with back-pressure and within rolling limits.
///
/// It lives as long as the closure that is passed to ``withConversation(to:transport:limits:_:)``. Several
/// tasks may use it at once; one of them takes the ``frames``. ``ConversationState`` makes the decisions, and this
/// class carries them out. Asking is in `GatewayConversation+asking.swift`; only its extensions use what is not private.
///
/// ## Usage
///
///     try await GatewayConversation.withConversation(to: endpoints, transport: .tls(pin: leaf)) { gateway in
///         let answer = try await gateway.request("gateway.discover", params: .object([:]))
///         print(try answer.outcome.get() ?? .null)
///         for try await case .event(let event) in gateway.frames { print(event.name) }
///     }
package final class GatewayConversation: Sendable {
    /// The numbers of messages that were dropped.
    package struct Drops: Hashable, Sendable {
        /// The responses to requests that had been given up, or answered already.
        package var lateAnswers = 0

        /// The messages that are not a known kind of frame, have a key twice, have too many values, or are nested too
        /// deep.
        package var unknownMessages = 0
    }

    /// The answer to a question.
    typealias Answer = Result<GatewayResponse?, GatewayConnectionError>

    struct Shared {
        var state: ConversationState
        var answers: [Int: PendingValue<Answer>] = [:]
        var reader: PendingValue<Void>?
        var taker: PendingValue<Void>?
    }

    /// The path of the conversation.
    package let path: GatewayProbePath

    let channel: any Channel
    let transcript: Transcript
    let shared: Mutex<Shared>
    private let jsonLimits: JSONLimits

    /// Indicates whether messages are frames; otherwise each is an event.
    private let hasFrames: Bool

    init(
        over connection: WebSocketConnection,
        limits: ConnectionLimits,
        speaking dialect: GatewayDialect = .optaplus
    ) {
        self.hasFrames = dialect.hasFrames
        self.path = connection.path
        self.channel = connection.channel
        self.transcript = connection.transcript
        self.jsonLimits = JSONLimits(
            maximumBytes: limits.frameBytes,
            maximumDepth: limits.depth,
            // OpenClaw cuts texts for previews; half an emoji must not end a session.
            replacesUnpairedSurrogates: true,
            // Answers may hold the tokens of this device.
            hidesSecrets: true
        )
        self.shared = Mutex(Shared(state: ConversationState(limits: limits)))
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.update { $0.state.socketClosed() }
        }
    }

    /// The frames that the gateway sends of its own accord.
    package var frames: GatewayFrames { GatewayFrames(conversation: self) }

    /// The numbers of messages that were dropped so far.
    package var drops: Drops { shared.withLock { $0.state.drops } }

    /// The number of questions that wait for their answers.
    var pendingCount: Int { shared.withLock { $0.state.pendingCount } }

    /// The bytes of the frames that wait to be taken.
    var waitingBytes: Int { shared.withLock { $0.state.waitingBytes } }

    /// Indicates whether a task waits for a frame.
    var isAwaited: Bool { shared.withLock { $0.taker != nil } }

    // MARK: Receiving

    /// Reads until the connection ends.
    func read(from connection: inout WebSocketConnection) async {
        while true {
            switch await connection.next() {
            case .message(let text):
                receive(text)
                await room()
            case .pong(let payload):
                let answers = shared.withLock { shared in
                    shared.state.receivePong(payload).compactMap { shared.answers.removeValue(forKey: $0) }
                }
                for answer in answers { answer.settle(.success(nil)) }
            case .closed(let close):
                let code = close.code.map { " with code \($0)" } ?? ""
                return end(.failed(GatewayConnectionError(.closed, "the gateway hung up\(code)", close: close)))
            case .failed(let error):
                // The conversation has no time limit, so this error means that the task was cancelled.
                return end(.failed(error.code == .timedOut ? Self.cancelled : error))
            }
        }
    }

    private func receive(_ text: [UInt8]) {
        let frame: GatewayFrame
        do throws(GatewayMessageError) {
            let json = try JSONValue(parsing: text, limits: jsonLimits)
            frame = hasFrames ? try GatewayFrame(json: json) : .event(try GatewayEvent(message: json))
        } catch {
            switch error.code {
            case .malformed, .tooLong:
                end(.failed(GatewayConnectionError(.notUnderstood, "expected frames of JSON: \(error.message)")))
                return channel.close(promise: nil)
            default:
                return shared.withLock { $0.state.receiveUnknown() }
            }
        }
        let (answer, response): (PendingValue<Answer>?, GatewayResponse?) = shared.withLock { shared in
            guard case .answer(let number, let response) = shared.state.receive(frame, bytes: text.count) else {
                return (nil, nil)
            }
            return (shared.answers.removeValue(forKey: number), response)
        }
        text.wipe()
        if let answer { answer.settle(.success(response)) } else { update { _ in } }
    }

    /// Waits until there is room for more.
    private func room() async {
        let room: PendingValue<Void>? = shared.withLock { shared in
            guard !shared.state.hasRoom else { return nil }
            let room = PendingValue<Void>()
            shared.reader = room
            return room
        }
        await room?.get()
    }

    /// Changes the state, and wakes the waiting tasks that can now go on.
    private func update(_ change: (inout Shared) -> Void) {
        let (reader, taker): (PendingValue<Void>?, PendingValue<Void>?) = shared.withLock { shared in
            change(&shared)
            let reader = shared.state.hasRoom ? shared.reader : nil
            if reader != nil { shared.reader = nil }
            // The taker is woken only when there is something to take: otherwise one that has just begun to wait would
            // wake itself, for ever.
            return (reader, shared.state.hasSomethingToTake ? shared.taker : nil)
        }
        reader?.settle(())
        taker?.settle(())
    }

    // MARK: Taking frames

    /// Waits for the next frame, and takes it; returns `nil` at the end.
    func nextFrame() async throws(GatewayConnectionError) -> GatewayFrame? {
        while !Task.isCancelled {
            var taken = ConversationState.Taken.none
            var isBusy = false
            let arrival = PendingValue<Void>()
            update { shared in
                isBusy = shared.taker != nil
                if !isBusy { taken = shared.state.take() }
                if !isBusy, taken == .none { shared.taker = arrival }
            }
            if isBusy { throw GatewayConnectionError(.busy, "expected one reader of the frames, found another") }
            switch taken {
            case .frame(let frame):
                return frame
            case .ended(.left):
                return nil
            case .ended(.failed(let error)):
                throw error
            case .none:
                await withTaskCancellationHandler {
                    await arrival.get()
                } onCancel: {
                    arrival.settle(())
                }
                shared.withLock { $0.taker = nil }
            }
        }
        return nil
    }

    // MARK: The end

    /// Closes the conversation. Tasks that wait for an answer get the error `closed`, and the ``frames`` end.
    ///
    /// - Parameter code: The close code; 1000 is a normal end; OpenClaw's clients send 4000 after two missed ticks.
    package func close(code: UInt16 = 1_000) {
        end(.left)
        let data = ByteBuffer(integer: code)
        let frame = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: data)
        channel.writeAndFlush(frame, promise: nil)
        channel.close(promise: nil)
    }

    /// Ends the conversation. Only the first reason counts.
    func end(_ reason: ConversationState.End) {
        var answers: [PendingValue<Answer>] = []
        update { shared in
            answers = shared.state.end(reason).compactMap { shared.answers.removeValue(forKey: $0) }
        }
        for answer in answers { answer.settle(.failure(Self.ended(reason))) }
    }

    static func ended(_ end: ConversationState.End) -> GatewayConnectionError {
        switch end {
        case .left: GatewayConnectionError(.closed, "this side has ended the conversation")
        case .failed(let error): error
        }
    }

    static let cancelled = GatewayConnectionError(.cancelled, "the task was cancelled")
}
