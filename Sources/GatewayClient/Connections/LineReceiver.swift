internal import NIOCore

/// Cuts a stream of bytes into lines of a bounded length.
final class LineReceiver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let events: AsyncStream<LineEvent>.Continuation
    private let transcript: Transcript
    private let limits: ConnectionLimits
    private var line: [UInt8] = []
    private var isOver = false

    init(_ events: AsyncStream<LineEvent>.Continuation, transcript: Transcript, limits: ConnectionLimits) {
        self.events = events
        self.transcript = transcript
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView where !isOver {
            if byte == UInt8(ascii: "\n") {
                guard transcript.noteFrame() <= limits.frames else {
                    return fail(.flooded, "expected at most \(limits.frames) lines at a time, found more", context)
                }
                events.yield(.line(line))
                line.removeAll(keepingCapacity: true)
            } else if line.count < limits.frameBytes {
                line.append(byte)
            } else {
                fail(.tooLong, "expected lines of at most \(limits.frameBytes) bytes, found a longer one", context)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let error = error as? GatewayConnectionError ?? GatewayConnectionError(.closed, "the connection broke")
        fail(error.code, error.message, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        events.yield(.closed)
        events.finish()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        events.finish()
    }

    private func fail(_ code: GatewayConnectionError.Code, _ message: String, _ context: ChannelHandlerContext) {
        guard !isOver else { return }
        isOver = true
        events.yield(.failed(GatewayConnectionError(code, message)))
        events.finish()
        context.close(promise: nil)
    }
}
