internal import GatewayProtocol
internal import NIOCore
internal import NIOWebSocket

/// Turns WebSocket frames into messages and back, answers pings, and closes connections as RFC 6455 requires.
final class WebSocketCodec: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = SessionInput
    typealias OutboundIn = SessionOutput
    typealias OutboundOut = WebSocketFrame

    /// The time that a peer has to answer our close frame with its own.
    private static let closeTimeout = TimeAmount.seconds(1)

    /// The maximum size of a close reason, in bytes: a control frame holds 125, and the code takes two of them (RFC
    /// 6455 §5.5).
    private static let reasonBytes = 123

    /// Indicates whether we have sent a close frame: later messages are ignored.
    private var isClosing = false

    /// Indicates whether the peer owes us a pong.
    private var awaitsPong = false

    /// The payload of the latest ping that came while the peer was not reading what we had sent.
    private var unansweredPing: ByteBuffer?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text where !isClosing, .binary where !isClosing:
            context.fireChannelRead(wrapInboundOut(.message(Array(frame.unmaskedData.readableBytesView))))
        case .ping where !isClosing:
            // One pong may answer all pings so far (RFC 6455 §5.5.3), so a peer that pings and reads nothing takes up
            // no memory.
            if context.channel.isWritable {
                answer(frame.unmaskedData, context)
            } else {
                unansweredPing = frame.unmaskedData
            }
            context.fireChannelRead(wrapInboundOut(.ping))
        case .pong where !isClosing:
            awaitsPong = false
            context.fireChannelRead(wrapInboundOut(.ping))
        case .connectionClose:
            if !isClosing {
                let close = WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData)
                context.writeAndFlush(wrapOutboundOut(close), promise: nil)
            }
            context.close(promise: nil)
        default:
            break
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, !isClosing, let ping = unansweredPing {
            unansweredPing = nil
            answer(ping, context)
        }
        context.fireChannelWritabilityChanged()
    }

    private func answer(_ ping: ByteBuffer, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .pong, data: ping)), promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        switch unwrapOutboundIn(data) {
        case .message(let bytes):
            let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: bytes))
            context.write(wrapOutboundOut(frame), promise: promise)
        case .ping:
            guard !awaitsPong else {
                promise?.fail(ChannelError.ioOnClosedChannel)
                context.close(promise: nil)
                return
            }
            awaitsPong = true
            context.write(
                wrapOutboundOut(WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())),
                promise: promise
            )
        case .close(let code, let reason):
            isClosing = true
            var data = ByteBuffer(integer: code)
            data.writeString(reason.cut(toBytes: Self.reasonBytes))
            let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
            context.write(wrapOutboundOut(frame), promise: promise)
            let channel = context.channel
            context.eventLoop.scheduleTask(in: Self.closeTimeout) { channel.close(promise: nil) }
        }
    }
}
