import NIOCore
import NIOWebSocket

/// Sends texts at once, and answers texts with frames.
final class WebSocketServer: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    private let greeting: [String]
    private let answer: @Sendable (String) -> [WebSocketFrame]

    init(greeting: [String], answer: @escaping @Sendable (String) -> [WebSocketFrame]) {
        (self.greeting, self.answer) = (greeting, answer)
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
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            context.close(promise: nil)
        default:
            break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
