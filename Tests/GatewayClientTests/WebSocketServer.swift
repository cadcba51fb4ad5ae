import Glibc
import NIOCore
import NIOSSL
import NIOWebSocket

/// Sends texts after the upgrade, and answers texts with frames.
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
            if case .breaking = onPing { return breakOff(context) }
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

    private func breakOff(_ context: ChannelHandlerContext) {
        if let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
            // Closing from the context of the TLS handler bypasses that handler, so that it sends no closing alert.
            return tls.close(promise: nil)
        }
        // A socket that lingers for no time is reset when it is closed.
        _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
