internal import NIOCore

/// Sends one byte a second, whatever is to be sent.
final class DripHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private static let pause = TimeAmount.seconds(1)

    /// The most bytes that wait; a peer that asks for more has lost interest in answers.
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

    // The timer holds the context.
    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
    }
}
