import NIOCore

/// Sends bytes when a connection is opened, and others in answer to the first bytes that it receives.
final class RawServer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let greeting: [UInt8]
    private var answer: [UInt8]?
    private let hangsUp: Bool

    init(_ greeting: [UInt8], answer: [UInt8]?, hangsUp: Bool) {
        (self.greeting, self.answer, self.hangsUp) = (greeting, answer, hangsUp)
    }

    func channelActive(context: ChannelHandlerContext) {
        if !greeting.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: greeting)), promise: nil) }
        if answer == nil, hangsUp { context.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let answer else { return }
        self.answer = nil
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer)), promise: nil)
        if hangsUp { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
