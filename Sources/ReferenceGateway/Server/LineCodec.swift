internal import NIOCore

/// Turns lines into messages and back.
final class LineCodec: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = SessionInput
    typealias OutboundIn = SessionOutput
    typealias OutboundOut = ByteBuffer

    /// The line that is not complete yet.
    private var line: [UInt8] = []
    private let limit: Int

    /// - Parameter limit: The maximum length of a line in bytes; a longer one ends the connection.
    init(limit: Int) {
        self.limit = limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for byte in unwrapInboundIn(data).readableBytesView {
            guard byte != UInt8(ascii: "\n") else {
                if !line.isEmpty { context.fireChannelRead(wrapInboundOut(.message(line))) }
                line = []
                continue
            }
            guard line.count < limit else {
                context.close(promise: nil)
                return
            }
            line.append(byte)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .message(let bytes):
            context.write(wrapOutboundOut(ByteBuffer(bytes: bytes + [UInt8(ascii: "\n")])), promise: promise)
        case .ping:
            promise?.succeed()
        case .close:
            context.flush()
            context.close(promise: promise)
        }
    }
}
