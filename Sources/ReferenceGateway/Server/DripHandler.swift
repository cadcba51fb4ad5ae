internal import NIOCore

/// Sends everything at a rate of one byte a second.
final class DripHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let pause = TimeAmount.seconds(1)

    /// The maximum number of bytes that wait. The rest is dropped: a peer that asks for more does not want the answers.
    private static let limit = 1_048_576

    private var waiting = ByteBuffer()
    private var timer: RepeatedTask?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var bytes = unwrapOutboundIn(data)
        promise?.succeed()
        guard waiting.readableBytes + bytes.readableBytes <= Self.limit else { return }
        waiting.writeBuffer(&bytes)
        guard timer == nil else { return }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: Self.pause) { _ in
            let (handler, context) = bound.value
            guard let byte = handler.waiting.readSlice(length: 1) else { return }
            context.writeAndFlush(handler.wrapOutboundOut(byte), promise: nil)
        }
    }

    // The timer holds the context, so it must stop.
    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }
}
