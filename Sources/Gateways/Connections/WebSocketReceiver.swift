internal import NIOCore
internal import NIOWebSocket

/// Turns frames into events, answers pings, and ends the stream of events when the connection ends.
///
/// Events wait in memory until they are read: the connection's limit of bytes bounds them.
final class WebSocketReceiver: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private let events: AsyncStream<WebSocketArrival>.Continuation

    init(_ events: AsyncStream<WebSocketArrival>.Continuation) {
        self.events = events
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        var payload = frame.unmaskedData
        switch frame.opcode {
        case .text, .binary:
            events.yield(.event(.message(Array(payload.readableBytesView))))
        case .ping:
            send(WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: payload), context)
        case .pong:
            events.yield(.event(.pong))
        case .connectionClose:
            events.yield(.event(.closed(code: payload.readInteger())))
            events.finish()
            // RFC 6455 §5.5.1: a close is answered with the same code.
            send(
                WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: frame.unmaskedData),
                context
            )
            context.close(promise: nil)
        default:
            // Continuations were put together before; the rest is reserved.
            fail(GatewayConnectionError(.notUnderstood, "expected a frame that is known, found a reserved one"))
            context.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let code: WebSocketErrorCode
        switch error {
        case let error as GatewayConnectionError:
            fail(error)
            code = .policyViolation
        case NIOWebSocketError.invalidFrameLength, is NIOWebSocketFrameAggregator.Error:
            fail(GatewayConnectionError(.tooLong, "expected frames within the limits, found longer or more ones"))
            code = .messageTooLarge
        default:
            fail(GatewayConnectionError(.notUnderstood, "expected WebSocket frames, found something else"))
            code = .protocolError
        }
        var data = ByteBuffer()
        data.write(webSocketErrorCode: code)
        send(WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: data), context)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        events.yield(.event(.closed(code: nil)))
        events.finish()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        events.finish()
    }

    private func fail(_ error: GatewayConnectionError) {
        events.yield(.event(.failed(error)))
        events.finish()
    }

    private func send(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
    }
}
