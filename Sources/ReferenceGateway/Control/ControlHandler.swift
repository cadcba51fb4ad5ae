internal import GatewayProtocol
internal import NIOCore

/// Answers the requests on one connection of a ``ControlSocket``.
final class ControlHandler: ChannelInboundHandler {
    typealias InboundIn = SessionInput
    typealias OutboundOut = SessionOutput

    private let answer: @Sendable (GatewayRequest) async -> [UInt8]

    init(_ answer: @escaping @Sendable (GatewayRequest) async -> [UInt8]) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .message(let bytes) = unwrapInboundIn(data),
            case .request(let request) = try? GatewayFrame(parsing: bytes)
        else {
            context.close(promise: nil)
            return
        }
        let (channel, answer) = (context.channel, answer)
        context.eventLoop.makeFutureWithTask { await answer(request) }.whenSuccess { bytes in
            channel.writeAndFlush(SessionOutput.message(bytes), promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
