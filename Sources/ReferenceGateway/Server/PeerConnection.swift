internal import GatewayProtocol
internal import NIOCore

/// One connection, from its first byte to its last.
struct PeerConnection: Sendable {
    typealias Wire = NIOAsyncChannel<SessionInput, SessionOutput>

    /// The time between two pings of a Clawline provider or a bridge, in milliseconds.
    private static let pingInterval = 30_000

    let peer: GatewayPeer
    let wire: Wire

    /// The task that ends the connection if the peer sends no valid message in time.
    let handshake: Scheduled<Void>

    /// Runs the dialogue until one side ends the connection.
    func run(_ configuration: GatewayServerConfiguration, _ store: GatewayStateStore) async throws {
        let channel = wire.channel
        try await wire.executeThenClose { input, output in
            var dialogue = Dialogue(dialect: configuration.dialect, peer: peer)
            var deadline = handshake
            var (heartbeat, pings): (Heartbeat?, Heartbeat?) = (nil, nil)
            var hold: Scheduled<Void>?
            defer {
                hold?.cancel()
                deadline.cancel()
                heartbeat?.cancel()
                pings?.cancel()
            }
            // A close that is sent ends the input soon after.
            @Sendable func perform(_ actions: [GatewayAction]) async throws -> Bool {
                for action in actions {
                    switch action {
                    case .send(let bytes): try await output.write(.message(bytes))
                    case .close(let code, let reason): try await output.write(.close(code, reason: reason))
                    case .drop: return false
                    // The store has done these.
                    case .note, .save, .welcome, .admit, .admitOpenClaw, .broadcast, .revoke, .remove, .resolve,
                        .grant, .tell, .tellAdmins, .displace:
                        break
                    // The loop below begins the time for which the peer may wait.
                    case .hold: break
                    }
                }
                return true
            }
            let greeting = await store.start(&dialogue)
            guard try await perform(greeting) else { return }
            var isWelcome = false
            for try await arrival in input {
                if case .message(let bytes) = arrival {
                    let actions = await store.receive(bytes, in: &dialogue) { channel.writeAndFlush($0, promise: nil) }
                    isWelcome = isWelcome || actions.contains(.welcome)
                    guard try await perform(actions) else { return }
                    if actions.contains(where: { if case .hold = $0 { true } else { false } }) {
                        hold?.cancel()
                        hold = endHold(configuration.dialect, store)
                    } else if dialogue.isAdmitted {
                        hold?.cancel()
                    }
                    if heartbeat == nil, dialogue.session != nil {
                        heartbeat = Heartbeat(of: channel, await store.state.openClaw.settings)
                    } else if pings == nil, configuration.dialect.hasPings, dialogue.isAdmitted {
                        pings = Heartbeat(pinging: channel, every: Self.pingInterval)
                    }
                }
                guard isWelcome else { continue }
                deadline.cancel()
                // A peer that is sent ticks may be silent.
                guard heartbeat == nil else { continue }
                deadline = channel.eventLoop.scheduleTask(in: TimeAmount(configuration.idle)) {
                    channel.close(promise: nil)
                }
            }
        }
    }

    /// Schedules the end of a request to pair that nobody decides.
    private func endHold(_ dialect: GatewayDialect, _ store: GatewayStateStore) -> Scheduled<Void> {
        let timeout =
            dialect == .bridge
            ? BridgeMessage.error(code: "UNAUTHORIZED", message: "pairing expired").encoded
            : ClawlineMessage.pairResult(.failure(ClawlineRefusal(reason: "pair_timeout"))).encoded
        let (channel, peer) = (wire.channel, peer)
        return channel.eventLoop.scheduleTask(in: .milliseconds(Int64(ClawlineState.requestLife))) {
            Task {
                // A device that was approved meanwhile may have been silent since.
                guard await store.isDecisionAwaited(on: peer) else { return }
                channel.writeAndFlush(SessionOutput.message(timeout), promise: nil)
                channel.writeAndFlush(SessionOutput.close(1_000), promise: nil)
            }
        }
    }

    /// Closes the connection without sending anything.
    func close() async {
        handshake.cancel()
        try? await wire.executeThenClose { _, _ in }
    }
}

/// A message or a ping that arrives on a connection, over any transport.
enum SessionInput: Hashable, Sendable {
    /// A whole message: the payload of a WebSocket message, or a line without its line feed.
    case message([UInt8])

    /// A sign of life: a ping or a pong.
    case ping
}

/// A message, a ping or a close that is sent on a connection, over any transport.
enum SessionOutput: Hashable, Sendable {
    /// A whole message.
    case message([UInt8])

    /// A ping. If the peer has not answered the last one, the connection is closed instead.
    case ping

    /// A close, after which the connection ends.
    case close(UInt16, reason: String = "")
}
