internal import NIOCore

/// Cuts a stream of bytes into lines of a bounded length.
final class LineReceiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let events: AsyncStream<LineEvent>.Continuation
    private let limit: Int
    private var line: [UInt8] = []

    init(_ events: AsyncStream<LineEvent>.Continuation, limit: Int) {
        self.events = events
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            if byte == UInt8(ascii: "\n") {
                events.yield(.line(line))
                line.removeAll(keepingCapacity: true)
            } else if line.count < limit {
                line.append(byte)
            } else {
                fail(GatewayConnectionError(.tooLong, "expected lines of at most \(limit) bytes, found a longer one"))
                context.close(promise: nil)
                return
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(
            error as? GatewayConnectionError
                ?? GatewayConnectionError(.closed, "the connection broke")
        )
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        events.yield(.closed)
        events.finish()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        events.finish()
    }

    private func fail(_ error: GatewayConnectionError) {
        events.yield(.failed(error))
        events.finish()
    }
}
