internal import NIOCore
internal import NIOWebSocket

/// Sends one kind of empty frame without end, as fast as the peer accepts them, once anything has been sent.
final class FloodHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The number of frames that go out at once.
    private static let batch = 512

    private let opcode: WebSocketOpcode
    private var isFlooding = false
    private var isDue = false

    /// - Parameter opcode: The opcode of the frames.
    init(_ opcode: WebSocketOpcode) {
        self.opcode = opcode
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard !isFlooding else { return }
        isFlooding = true
        pour(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isFlooding { pour(context) }
        context.fireChannelWritabilityChanged()
    }

    private func pour(_ context: ChannelHandlerContext) {
        guard !isDue, context.channel.isActive, context.channel.isWritable else { return }
        isDue = true
        for _ in 0..<Self.batch {
            context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: ByteBuffer())), promise: nil)
        }
        context.flush()
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (handler, context) = bound.value
            handler.isDue = false
            handler.pour(context)
        }
    }
}

extension Misbehaviour {
    /// The opcode of the frames that are sent without end; `nil` when none are.
    var floodsWith: WebSocketOpcode? {
        switch self {
        case .pongFlood: .pong
        case .pingFlood: .ping
        case .messageFlood: .text
        case .silent, .slow, .oversized, .deepJSON, .wrongFingerprint, .dropping, .noHealth, .otherVersion: nil
        }
    }
}
