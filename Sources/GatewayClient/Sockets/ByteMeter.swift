internal import CoreMetrics
internal import NIOCore

/// Counts received bytes, and closes the connection to a peer that sends more than it may, or that keeps memory for
/// longer than it may.
final class ByteMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let transcript: Transcript
    private let metrics: ClientMetrics
    private let limits: ConnectionLimits

    /// The timer of the incomplete message, while it takes a share of the memory budget.
    private var timer: Scheduled<Void>?

    init(_ transcript: Transcript, limits: ConnectionLimits, metrics: ClientMetrics) {
        self.metrics = metrics
        self.transcript = transcript
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        metrics.receivedBytes.increment(by: buffer.readableBytes)
        let now = ContinuousClock.now
        guard transcript.note(buffer.readableBytesView, at: now) <= limits.connectionBytes else {
            return hangUp(.tooLong, "expected at most \(limits.connectionBytes) bytes, found more", context)
        }
        guard transcript.takeBytes(buffer.readableBytes, at: now) else {
            return hangUp(.flooded, "expected fewer bytes in so short a time, found more", context)
        }
        guard transcript.assemble(buffer.readableBytes, at: now) else {
            return hangUp(.tooLong, "expected messages for which there is memory, found a longer one", context)
        }
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // A timer that is already set checks the message when it fires, and is set again if needed.
        if timer == nil { checkAssembly(context) }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
    }

    /// Closes the connection when a message takes too long to become complete; otherwise checks again when its time
    /// could be over.
    private func checkAssembly(_ context: ChannelHandlerContext) {
        timer = nil
        guard let left = transcript.timeToAssemble(of: limits.assembling, at: .now) else { return }
        guard left > .zero else {
            let expected = "expected a message that is whole in \(limits.assembling)"
            return hangUp(.tooLong, "\(expected), found a part of one", context)
        }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(left)) { self.checkAssembly(context) }
    }

    private func hangUp(_ code: GatewayConnectionError.Code, _ message: String, _ context: ChannelHandlerContext) {
        timer?.cancel()
        context.fireErrorCaught(GatewayConnectionError(code, message))
        context.close(promise: nil)
    }
}
