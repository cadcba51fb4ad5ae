import NIOCore

/// Sends bytes one by one, with a pause after each.
final class DripServer: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer
    private let bytes: [UInt8]
    private let pause: TimeAmount

    init(_ bytes: [UInt8], pause: TimeAmount) { (self.bytes, self.pause) = (bytes, pause) }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        for (index, byte) in bytes.enumerated() {
            channel.eventLoop.scheduleTask(in: pause * index) {
                channel.writeAndFlush(ByteBuffer(bytes: [byte]), promise: nil)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
