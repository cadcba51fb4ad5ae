internal import GatewayProtocol
internal import NIOCore
internal import NIOWebSocket

/// Carries the frames of a conversation as lines of JSON over TCP, as Clawdbot bridges speak: a message is a line, and
/// pings and pongs are lines of their own. So one receiver holds both kinds of connections to their limits.
final class LineFrames: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = ByteBuffer

    /// The greatest length of a line that is a ping or a pong, in bytes.
    private static let longestPing = 512

    private static let lineFeed = UInt8(ascii: "\n")

    private let limits: ConnectionLimits

    /// The line that is not complete yet.
    private var line = ByteBuffer()

    /// The number of the last ping that was sent.
    private var lastPing: UInt64?
    private var isOver = false

    init(_ limits: ConnectionLimits) {
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let received = unwrapInboundIn(data)
        // Nobody reads the received bytes again, and they may contain a token.
        defer { received.wipe() }
        var rest = received
        while !isOver, rest.readableBytes > 0 {
            let view = rest.readableBytesView
            let end = view.firstIndex(of: Self.lineFeed)
            let count = (end ?? view.endIndex) - view.startIndex
            guard line.readableBytes + count <= limits.frameBytes else {
                isOver = true
                let message = "expected lines of at most \(limits.frameBytes) bytes, found a longer one"
                return context.fireErrorCaught(GatewayConnectionError(.tooLong, message))
            }
            line.writeBytes(view.prefix(count))
            guard end != nil else { return }
            rest.moveReaderIndex(forwardBy: count + 1)
            let full = line
            line = ByteBuffer()
            context.fireChannelRead(wrapInboundOut(frame(of: full)))
        }
    }

    private func frame(of line: ByteBuffer) -> WebSocketFrame {
        let text = WebSocketFrame(fin: true, opcode: .text, data: line)
        guard line.readableBytes <= Self.longestPing else { return text }
        let bytes = Array(line.readableBytesView)
        defer { bytes.wipe() }
        switch try? BridgeMessage(parsing: bytes, limits: JSONLimits(hidesSecrets: true)) {
        case .ping(let id):
            return WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer(string: id))
        case .pong(let id):
            // A pong without one of our numbers answers nothing.
            return pong(UInt64(id))
        case .error(_, "not authenticated") where lastPing != nil:
            // Before the greeting a bridge refuses pings, which shows as well that it is alive.
            return pong(lastPing)
        default:
            return text
        }
    }

    private func pong(_ number: UInt64?) -> WebSocketFrame {
        WebSocketFrame(fin: true, opcode: .pong, data: number.map { ByteBuffer(integer: $0) } ?? ByteBuffer())
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        switch frame.opcode {
        case .text, .binary:
            // The very buffer is passed on, since its owner wipes it once it is sent.
            context.write(wrapOutboundOut(frame.data), promise: nil)
            context.write(wrapOutboundOut(ByteBuffer(bytes: [Self.lineFeed])), promise: promise)
        case .ping:
            let number = frame.data.readableBytesView.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            lastPing = number
            send(.ping(id: "\(number)"), context, promise)
        case .pong:
            send(.pong(id: String(buffer: frame.data)), context, promise)
        default:
            // There is no close but the end of the connection.
            promise?.succeed()
        }
    }

    private func send(_ message: BridgeMessage, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        context.write(wrapOutboundOut(ByteBuffer(bytes: message.encoded + [Self.lineFeed])), promise: promise)
    }
}
