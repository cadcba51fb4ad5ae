internal import NIOCore

/// Counts what comes, and hangs up on a peer that sends more than it may.
final class ByteMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let transcript: Transcript
    private let limit: Int

    init(_ transcript: Transcript, limit: Int) {
        self.transcript = transcript
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        guard transcript.note(buffer.readableBytesView) <= limit else {
            let error = GatewayConnectionError(.tooLong, "expected at most \(limit) bytes, found more")
            context.fireErrorCaught(error)
            context.close(promise: nil)
            return
        }
        context.fireChannelRead(data)
    }
}
