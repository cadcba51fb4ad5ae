import NIOCore

/// Delays received bytes by the round-trip time of a slow path.
final class DelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let roundTrip: TimeAmount

    init(_ roundTrip: TimeAmount) { self.roundTrip = roundTrip }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bound = NIOLoopBound((context, unwrapInboundIn(data)), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: roundTrip) {
            let (context, bytes) = bound.value
            context.fireChannelRead(NIOAny(bytes))
            context.fireChannelReadComplete()
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {}
}
