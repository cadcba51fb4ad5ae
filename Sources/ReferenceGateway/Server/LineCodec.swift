internal import GatewayProtocol
internal import NIOCore

/// Turns lines into messages and back. Pings and pongs are lines of their own, as those of a Clawdbot bridge are.
final class LineCodec: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = SessionInput
    typealias OutboundIn = SessionOutput
    typealias OutboundOut = ByteBuffer

    /// The line that is not complete yet.
    private var line: [UInt8] = []
    private let limit: Int

    /// The number of the last ping, and whether the peer owes us its pong.
    private var (pings, awaitsPong) = (0, false)

    /// - Parameter limit: The maximum length of a line in bytes; a longer one ends the connection.
    init(limit: Int) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            guard byte != UInt8(ascii: "\n") else {
                if !line.isEmpty { context.fireChannelRead(wrapInboundOut(arrival(line))) }
                line = []
                continue
            }
            guard line.count < limit else {
                context.close(promise: nil)
                return
            }
            line.append(byte)
        }
    }

    private func arrival(_ line: [UInt8]) -> SessionInput {
        guard awaitsPong, case .pong("\(pings)")? = try? BridgeMessage(parsing: line) else { return .message(line) }
        awaitsPong = false
        return .ping
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .message(let bytes):
            send(bytes, context, promise)
        case .ping:
            guard !awaitsPong else {
                promise?.fail(ChannelError.ioOnClosedChannel)
                context.close(promise: nil)
                return
            }
            (pings, awaitsPong) = (pings + 1, true)
            send(BridgeMessage.ping(id: "\(pings)").encoded, context, promise)
        case .close:
            context.flush()
            context.close(promise: promise)
        }
    }

    private func send(_ line: [UInt8], _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        context.write(wrapOutboundOut(ByteBuffer(bytes: line + [UInt8(ascii: "\n")])), promise: promise)
    }
}
