internal import CoreMetrics
internal import NIOCore

/// Counts what comes, and hangs up on a peer that sends more than it may.
final class ByteMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let transcript: Transcript
    private let metrics: ClientMetrics
    private let limit: Int
    private var allowance: RollingAllowance?

    init(_ transcript: Transcript, limits: ConnectionLimits, metrics: ClientMetrics) {
        self.metrics = metrics
        self.transcript = transcript
        self.limit = limits.connectionBytes
        self.allowance = limits.byteRate.map { RollingAllowance($0, at: .now) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        metrics.receivedBytes.increment(by: buffer.readableBytes)
        guard transcript.note(buffer.readableBytesView) <= limit else {
            return hangUp(.tooLong, "expected at most \(limit) bytes, found more", context)
        }
        guard allowance?.take(buffer.readableBytes, at: .now) ?? true else {
            return hangUp(.flooded, "expected fewer bytes in so short a time, found more", context)
        }
        guard transcript.assemble(buffer.readableBytes) else {
            return hangUp(.tooLong, "expected messages for which there is memory, found a longer one", context)
        }
        context.fireChannelRead(data)
    }

    private func hangUp(_ code: GatewayConnectionError.Code, _ message: String, _ context: ChannelHandlerContext) {
        context.fireErrorCaught(GatewayConnectionError(code, message))
        context.close(promise: nil)
    }
}
