internal import GatewayProtocol
internal import NIOCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

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
            defer { deadline.cancel() }
            // A close that is sent ends the input soon after.
            @Sendable func perform(_ actions: [GatewayAction]) async throws -> Bool {
                for action in actions {
                    switch action {
                    case .send(let bytes): try await output.write(.message(bytes))
                    case .close(let code, let reason): try await output.write(.close(code, reason: reason))
                    case .revoke(let tokens): await keeper.revoke(tokens)
                    case .drop: return false
                    case .note, .save, .welcome, .admit: break
                    }
                }
                return true
            }
            let greeting = await keeper.start(dialogue, milliseconds: Self.milliseconds)
            guard try await perform(greeting) else { return }
            var isWelcome = false
            for try await arrival in input {
                if case .message(let bytes) = arrival {
                    let actions = await keeper.receive(bytes, in: &dialogue) {
                        channel.writeAndFlush(SessionOutput.close(1_008), promise: nil)
                    }
                    isWelcome = isWelcome || actions.contains(.welcome)
                    guard try await perform(actions) else { return }
                }
                guard isWelcome else { continue }
                deadline.cancel()
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

    /// The time since 1970.
    private static var milliseconds: Int {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int(now.tv_sec) * 1_000 + Int(now.tv_nsec) / 1_000_000
    }
}

/// A message or a ping that comes on a connection, whatever carries it.
enum SessionInput: Hashable, Sendable {
    /// A whole message: the payload of a WebSocket message, or a line without its line feed.
    case message([UInt8])

    /// A sign of life.
    case ping
}

/// A message or a goodbye that goes out on a connection, whatever carries it.
enum SessionOutput: Hashable, Sendable {
    /// A whole message.
    case message([UInt8])

    /// A goodbye, and the end soon after.
    case close(UInt16, reason: String = "")
}
