import NIOCore

/// Records the received bytes.
final class Recorder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let received: TestServer.Received

    init(_ received: TestServer.Received) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.add(Array(unwrapInboundIn(data).readableBytesView))
        context.fireChannelRead(data)
    }
}
