import NIOCore
import NIOWebSocket

/// Sends texts at once, and answers texts with frames.
final class WebSocketServer: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    private let greeting: [String]
    private let answer: @Sendable (String) -> [WebSocketFrame]

    private let onPing: TestServer.PingAnswer

    init(
        greeting: [String],
        answer: @escaping @Sendable (String) -> [WebSocketFrame],
        onPing: TestServer.PingAnswer = .pong
    ) {
        (self.greeting, self.answer, self.onPing) = (greeting, answer, onPing)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        for text in greeting { context.writeAndFlush(wrapOutboundOut(.text(text)), promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text:
            for reply in answer(String(buffer: frame.unmaskedData)) {
                context.writeAndFlush(wrapOutboundOut(reply), promise: nil)
            }
        case .ping:
            if case .hangingUp = onPing { return context.close(promise: nil) }
            if case .silence = onPing { return }
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.write(wrapOutboundOut(pong), promise: nil)
            if case .flood(let frame, let count) = onPing {
                for _ in 0..<count { context.write(wrapOutboundOut(frame), promise: nil) }
            }
            context.flush()
        case .connectionClose:
            context.close(promise: nil)
        default:
            break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
