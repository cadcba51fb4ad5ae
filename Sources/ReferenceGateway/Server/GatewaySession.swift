internal import GatewayProtocol
internal import NIOCore

/// One connection, from its first byte to its last.
struct GatewaySession: Sendable {
    typealias Wire = NIOAsyncChannel<SessionInput, SessionOutput>

    let peer: GatewayPeer
    let wire: Wire

    /// Ends the connection when the peer says nothing sensible in time.
    let handshake: Scheduled<Void>

    /// Talks until one side has enough.
    func run(_ configuration: GatewayServerConfiguration, _ keeper: GatewayKeeper) async throws {
        let channel = wire.channel
        try await wire.executeThenClose { input, output in
            var dialogue = Dialogue(dialect: configuration.dialect, peer: peer)
            var deadline = handshake
            var heartbeat: Heartbeat?
            defer {
                deadline.cancel()
                heartbeat?.cancel()
            }
            // A close that is sent ends the input soon after.
            @Sendable func perform(_ actions: [GatewayAction]) async throws -> Bool {
                for action in actions {
                    switch action {
                    case .send(let bytes): try await output.write(.message(bytes))
                    case .close(let code, let reason): try await output.write(.close(code, reason: reason))
                    case .drop: return false
                    // Done by the keeper.
                    case .note, .save, .welcome, .admit, .admitOpenClaw, .broadcast, .revoke, .remove: break
                    }
                }
                return true
            }
            let greeting = await keeper.start(&dialogue)
            guard try await perform(greeting) else { return }
            var isWelcome = false
            for try await arrival in input {
                if case .message(let bytes) = arrival {
                    let actions = await keeper.receive(bytes, in: &dialogue) { channel.writeAndFlush($0, promise: nil) }
                    isWelcome = isWelcome || actions.contains(.welcome)
                    guard try await perform(actions) else { return }
                    if heartbeat == nil, dialogue.session != nil {
                        heartbeat = Heartbeat(of: channel, await keeper.state.openClaw.settings)
                    }
                }
                guard isWelcome else { continue }
                deadline.cancel()
                // Who hears ticks may be silent.
                guard heartbeat == nil else { continue }
                deadline = channel.eventLoop.scheduleTask(in: TimeAmount(configuration.idle)) {
                    channel.close(promise: nil)
                }
            }
        }
    }

    /// Says nothing, and closes.
    func close() async {
        handshake.cancel()
        try? await wire.executeThenClose { _, _ in }
    }
}

/// A message or a ping that comes on a connection, whatever carries it.
enum SessionInput: Hashable, Sendable {
    /// A whole message: the payload of a WebSocket message, or a line without its line feed.
    case message([UInt8])

    /// A sign of life: a ping or a pong.
    case ping
}

/// A message or a goodbye that goes out on a connection, whatever carries it.
enum SessionOutput: Hashable, Sendable {
    /// A whole message.
    case message([UInt8])

    /// A ping. A peer that has not answered the last one is hung up on.
    case ping

    /// A goodbye, and the end soon after.
    case close(UInt16, reason: String = "")
}
